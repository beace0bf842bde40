"""Users' time zones, by their IANA names. Who has told none is in UTC."""

from __future__ import annotations

import functools
import zoneinfo
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, tzinfo
from typing import TypeVar

from shared.models import Heard, Message

MACHINES_OWN = {"localtime", "Factory"}  # listed on some machines; they say nothing of a place

Said = TypeVar("Said", Message, Heard)


def is_time_zone(name: str) -> bool:
    return name in _names()


def zone_of(name: str | None) -> tzinfo:
    """Of a name that was checked once. One that this machine does not know any more is UTC."""
    return zoneinfo.ZoneInfo(name) if name and is_time_zone(name) else UTC


def seen_from(zone: tzinfo, messages: Iterable[Said]) -> list[Said]:
    """The same messages at the same instants, by the clocks of `zone`."""
    return [replace(one, created_at=one.created_at.astimezone(zone)) for one in messages]


@functools.cache
def _names() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones() - MACHINES_OWN)
