"""Backups by schedule: when one is due or overdue, and which old ones go."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

HOUR = 3  # of UTC; a backup holds nobody up, so no site needs another hour
RETRY_AFTER = timedelta(hours=1)  # a failed dump of a large database costs as much as a good one

OVERDUE_AFTER = timedelta(hours=26)  # a day, and time to make it; the alert has the same limit


def is_due(now: datetime, made_at: datetime | None, failed_at: datetime | None) -> bool:
    """Whether a backup is due: there is none since `HOUR` was last, and none failed just now.

    A site that was off at `HOUR` catches up. A backup that is dated in the future does not count.
    """
    if made_at is not None and _last_hour(now) <= made_at <= now:
        return False
    return failed_at is None or now - failed_at >= RETRY_AFTER


def is_overdue(now: datetime, made_at: datetime | None) -> bool:
    return made_at is None or now - made_at > OVERDUE_AFTER


def choose_expired(names: Sequence[str], keep: int) -> list[str]:
    """The names of the backups to delete: all but the newest `keep`. Names sort by their time."""
    return sorted(names)[:-keep]


def _last_hour(now: datetime) -> datetime:
    today = now.replace(hour=HOUR, minute=0, second=0, microsecond=0)
    return today if today <= now else today - timedelta(days=1)
