"""Instants by the clock of a time zone."""

from __future__ import annotations

from datetime import datetime, tzinfo


def to_local(instant: datetime, zone: tzinfo | None) -> datetime:
    """The instant by the clock of a time zone. None: by the clock of the machine.

    An instant at the edge of the calendar stays as it is: files may hold the year 1.
    """
    try:
        return instant.astimezone(zone)
    except OverflowError:
        return instant
