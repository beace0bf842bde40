from __future__ import annotations

from datetime import UTC, datetime

import pytest

from shared.models import Heard
from shared.time_zones import is_time_zone, seen_from, zone_of


@pytest.mark.parametrize("name", ["Europe/Lisbon", "America/Argentina/Ushuaia", "UTC", "Japan"])
def test_names_of_the_iana_list_are_time_zones(name: str) -> None:
    assert is_time_zone(name)
    assert str(zone_of(name)) == name


@pytest.mark.parametrize(
    "name",
    ["", "Lisbon", "europe/lisbon", "../../etc/passwd", "/etc/localtime", "localtime", "+02:00",
     "Etc/Unknown", "Europe/Lisbon\0", " UTC"],
)  # fmt: skip
def test_other_names_are_none_and_stand_for_utc(name: str) -> None:
    assert not is_time_zone(name)
    assert zone_of(name) is UTC


def test_who_has_told_none_is_in_utc() -> None:
    assert zone_of(None) is UTC


def test_a_message_is_seen_at_the_same_instant_by_another_clock() -> None:
    instant = datetime(2026, 7, 1, 23, 30, tzinfo=UTC)
    message = Heard(sequence_number=0, role="user", content="Hello", created_at=instant, turn=1)
    (local_message,) = seen_from(zone_of("Europe/Athens"), [message])
    assert local_message.created_at == instant
    assert f"{local_message.created_at:%Y-%m-%d %H:%M}" == "2026-07-02 02:30"
