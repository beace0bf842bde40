"""A site: one database and one Redis, which know each other."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class SiteMark:
    """What the database, and the Redis, of a site say of it."""

    site_id: str
    #: When the site was last swept, in seconds since 1970 by the database's clock. 0: never.
    pulse: float
    #: Where the process runs that swept it, for people.
    place: str
