"""Users' time zones, by their IANA names. UTC where none is known."""

from __future__ import annotations

import functools
import zoneinfo
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, tzinfo
from typing import TypeVar

from shared.models import Heard, Message

MACHINES_OWN = {"localtime", "Factory"}  # listed on some machines, but they name no place

Said = TypeVar("Said", Message, Heard)


def is_time_zone(name: str) -> bool:
    return name in _names()


def list_time_zones() -> list[str]:
    return sorted(_names())


def zone_of(name: str | None) -> tzinfo:
    """The time zone of this name. UTC for None, and for a name that this machine does not know."""
    return zoneinfo.ZoneInfo(name) if name and is_time_zone(name) else UTC


def seen_from(zone: tzinfo, messages: Iterable[Said]) -> list[Said]:
    """The messages with their times by the clock of `zone`. The instants stay the same."""
    return [
        replace(message, created_at=message.created_at.astimezone(zone)) for message in messages
    ]


@functools.cache
def _names() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones() - MACHINES_OWN)
