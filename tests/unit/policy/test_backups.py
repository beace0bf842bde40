from __future__ import annotations

from datetime import UTC, datetime

import pytest

from shared.policy.backups import choose_expired, is_due, is_overdue


def at(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 5, day, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "made_at", "is_now"),
    [
        (at(7, 12), None, True),  # the first one is made at once
        (at(7, 12), at(7, 3), False),
        (at(8, 2, 59), at(7, 3), False),
        (at(8, 3), at(7, 3), True),
        (at(8, 3, 10), at(8, 3, 1), False),
        (at(7, 12), at(7, 2, 59), True),  # the site was off at three
        (at(7, 12), at(9, 3), True),  # the clock was ahead
    ],
)
def test_one_is_due_each_day(now: datetime, made_at: datetime | None, is_now: bool) -> None:
    assert is_due(now, made_at, None) is is_now


def test_a_failed_one_is_tried_again_after_an_hour() -> None:
    assert not is_due(at(7, 3, 59), None, at(7, 3))
    assert is_due(at(7, 4), None, at(7, 3))


def test_the_newest_stay() -> None:
    names = ["throughline-20260507-030000", "throughline-20260506-030000", "throughline-20260505-1"]
    assert choose_expired(names, 2) == ["throughline-20260505-1"]
    assert choose_expired(names, 7) == []


def test_one_is_overdue_some_hours_after_it_was_due() -> None:
    assert is_overdue(at(7, 12), None)
    assert not is_overdue(at(8, 5), at(7, 3))
    assert is_overdue(at(8, 6), at(7, 3))
