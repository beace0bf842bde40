"""Whether a database and a Redis belong to the same site, and to no other.

With each sweep a site writes the time (its pulse) into its Redis, then into its database. So who
reads the database first finds the Redis as new, or a little newer. Where one is far behind, it was
emptied, or restored, or a site serves the newer one with something else. In the last case the newer
pulse goes on, while the older one stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from shared.models.sites import SiteMark

Conflict = Literal["other_site", "other_redis", "other_database"]


@dataclass(frozen=True, kw_only=True)
class SiteLook:
    """What the database and then the Redis said."""

    database: SiteMark
    #: None: the Redis is not marked.
    redis: SiteMark | None
    now: float

    @property
    def is_foreign(self) -> bool:
        return self.redis is not None and self.redis.site_id != self.database.site_id

    @property
    def redis_pulse(self) -> float:
        return self.redis.pulse if self.redis else 0.0

    def is_in_step(self, patience_s: float) -> bool:
        return 0 <= self.redis_pulse - self.database.pulse <= patience_s

    def is_open(self, patience_s: float) -> bool:
        """Whether it is open if somebody is alive who has written the newer pulse."""
        is_fresh = self.now - max(self.redis_pulse, self.database.pulse) <= patience_s
        return is_fresh and not self.is_foreign and not self.is_in_step(patience_s)


def find_conflict(first: SiteLook, look: SiteLook, patience_s: float) -> Conflict | None:
    """Compare two looks, of which the first one was not in step."""
    if look.is_foreign:
        return "other_site"
    if look.is_in_step(patience_s):
        return None
    if look.redis_pulse < look.database.pulse and first.database.pulse < look.database.pulse:
        return "other_redis"
    if look.redis_pulse > look.database.pulse and first.redis_pulse < look.redis_pulse:
        return "other_database"
    return None
