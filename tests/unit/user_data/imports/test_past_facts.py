"""Facts of an export as they are read: their times, their slots, their numbers."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from shared.errors import UnreadableConversationError
from shared.user_data.imports.fields import read_instant
from shared.user_data.imports.past_facts import read_forgotten, read_slots

FACT: dict[str, Any] = {
    "category": "preference", "key": "colour", "value": "Blue", "confidence": 1, "importance": 1,
    "valid_from": "2024-01-01T00:00:00Z", "valid_to": None,
}  # fmt: skip


@pytest.mark.parametrize("value", ["0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", -1,
                                   "9999-12-31T23:59:59Z", 10**14])  # fmt: skip
def test_times_that_nobody_can_have_said_anything_at_are_refused(value: object) -> None:
    with pytest.raises(UnreadableConversationError):
        read_instant(value)
    for name in ("valid_from", "valid_to", "confirmed_at"):
        assert read_slots([FACT | {name: value}]) == [None]


def test_the_last_day_of_a_fact_is_read() -> None:
    for day_text, day in (("2026-11-27", date(2026, 11, 27)), (None, None), ("soon", None)):
        [slot] = read_slots([FACT | {"valid_until": day_text}])
        assert slot is not None
        assert slot[0].version.valid_until == day


def test_a_clock_that_runs_ahead_does_not_outweigh_what_is_said_now() -> None:
    ahead = (datetime.now(UTC) + timedelta(hours=20)).isoformat()
    assert read_instant(0) == datetime(1970, 1, 1, tzinfo=UTC)
    [slot] = read_slots([FACT | {"valid_from": ahead, "confirmed_at": ahead}])
    assert slot is not None
    version = slot[0].version
    assert version.confirmed_at is not None
    assert version.valid_from <= version.confirmed_at <= datetime.now(UTC)
    mark = FACT | {"fingerprint": "0" * 64, "said_until": ahead, "forgotten_at": ahead}
    [forgotten] = read_forgotten([mark])
    assert max(forgotten.said_until, forgotten.forgotten_at) <= datetime.now(UTC)
