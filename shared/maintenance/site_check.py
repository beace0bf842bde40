"""One site has one database and one Redis: a second site with either of them does not start.

With two, tasks would go to workers that do not know them, and only a part would be learned. Any
number of processes on any number of machines are one site, as long as they share both. A service
that is away is not waited for: the sweep looks again.
"""

from __future__ import annotations

import logging
import socket
import time
from contextlib import closing, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from shared.db import Database
from shared.ephemeral.redis_client import connect_redis
from shared.ephemeral.site_mark import RedisMark
from shared.errors import DatabaseUnavailableError
from shared.models.sites import SiteMark
from shared.policy.site_conflicts import Conflict, SiteLook, find_conflict
from shared.settings import Settings, SettingsError
from shared.settings.service_addresses import kind_of
from shared.store.upkeep import site

if TYPE_CHECKING:
    from shared.services import Services

LOOK_S = 0.5
START_S = 20  # from a site's start to its first sweep
SHOWN = 8  # letters of a site's id

SENTENCES: dict[Conflict, str] = {
    "other_site": "this Redis is the one of another site, at {place}. Give this site a "
    "Redis of its own, or another database number. If it takes that site's place, first run: "
    "bin/throughline take-over {site}",
    "other_redis": "this site is being served with another Redis, at {place}. Set "
    "REDIS_URL to the same one, or stop it there first.",
    "other_database": "this Redis is in use with a copy of this database, at "
    "{place}. Give this site a Redis of its own, or stop it there first.",
}

#: A service is away, or not migrated yet.
AWAY = (DatabaseUnavailableError, ConnectionError, LookupError)

logger = logging.getLogger(__name__)


def check_site(settings: Settings) -> None:
    """Mark the Redis as this site's, and the broker's if that is another Redis.

    Raises `SettingsError` if one of them, or the database, is in use.
    """
    with closing(Database(settings.database_url, 1, "site")) as database:
        with closing(connect_redis(settings.redis_url)) as client, suppress(*AWAY):
            if conflict := SiteCheck(database, RedisMark(client), settings).find_conflict():
                raise SettingsError(f"REDIS_URL: {conflict}")
        url = settings.effective_broker_url
        if url == settings.redis_url or kind_of(url) == "rabbitmq":
            return
        with closing(connect_redis(url)) as client, suppress(*AWAY):
            if conflict := SiteCheck(database, RedisMark(client), settings).claim():
                raise SettingsError(f"BROKER_URL: {conflict}")


def release_redis(settings: Settings, site_id: str) -> bool:
    """Remove the marks of a site, given by the beginning of its id, from this site's Redis and the
    broker's. False: none was marked for it."""
    urls = {settings.redis_url, settings.effective_broker_url}
    marked = [url for url in urls if kind_of(url) != "rabbitmq" and _release(url, site_id)]
    return bool(marked)


def _release(url: str, site_id: str) -> bool:
    with closing(connect_redis(url)) as client:
        mark = RedisMark(client)
        current = mark.read()
        if current is None or current.site_id[:SHOWN] != site_id[:SHOWN]:
            return False
        mark.remove()
        return True


def note_pulse(services: Services) -> None:
    """Write down that the site is served here. A Redis that was emptied is marked again."""
    check = SiteCheck(services.database, RedisMark(services.redis), services.settings)
    try:
        look = check.look()
        if look.is_foreign and look.redis:
            logger.error("site.redis_of_another", extra={"place": look.redis.place})
            return
        if look.redis and look.redis.pulse < look.database.pulse:
            logger.warning("site.out_of_step", extra={"place": look.database.place})
        check.mark(look)
    except (ConnectionError, LookupError):
        return


def has_foreign_redis(services: Services) -> bool:
    """Whether the Redis is another site's. A Redis that is away is not."""
    check = SiteCheck(services.database, RedisMark(services.redis), services.settings)
    try:
        return check.look().is_foreign
    except AWAY:
        return False


class SiteCheck:
    """Every method raises one of `AWAY`."""

    def __init__(self, database: Database, redis: RedisMark, settings: Settings) -> None:
        self._database, self._redis, self._settings = database, redis, settings

    def find_conflict(self) -> str | None:
        """Wait until it is plain whether somebody else works here. None: the Redis is marked."""
        patience_s = 2 * self._settings.sweep_every_s + START_S
        first = look = self.look()
        ends_at = time.monotonic() + patience_s
        while look.is_open(patience_s) and time.monotonic() < ends_at:
            if find_conflict(first, look, patience_s):
                break
            time.sleep(LOOK_S)
            look = self.look()
        conflict = find_conflict(first, look, patience_s)
        if conflict is None and not self.mark(look):
            look, conflict = self.look(), "other_site"  # it came in this moment
        return _describe(conflict, look) if conflict else None

    def claim(self) -> str | None:
        """Mark a Redis that has no pulse. Returns a sentence if it is another site's."""
        look = self.look()
        is_ours = self._redis.write(self._make_mark(look))
        return None if is_ours else _describe("other_site", look)

    def look(self) -> SiteLook:
        """The database first: see `shared/policy/site_conflicts.py`."""
        with self._database.upkeep() as connection:
            mark, now = site.read_site(connection)
        return SiteLook(database=mark, redis=self._redis.read(), now=now)

    def mark(self, look: SiteLook) -> bool:
        """Write the time into both. False: another site has the Redis."""
        mark = self._make_mark(look)
        if not self._redis.write(mark):
            return False
        with self._database.upkeep() as connection:
            site.note_pulse(connection, mark)
        return True

    def _make_mark(self, look: SiteLook) -> SiteMark:
        return replace(look.database, pulse=look.now, place=_place(self._settings))


def _describe(conflict: Conflict, look: SiteLook) -> str:
    other = look.database if conflict == "other_redis" or look.redis is None else look.redis
    return SENTENCES[conflict].format(place=other.place, site=other.site_id[:SHOWN])


def _place(settings: Settings) -> str:
    folder = f"{settings.data_dir.resolve()} of {socket.gethostname()}"
    return f"{settings.public_url} ({folder})" if settings.public_url else folder
