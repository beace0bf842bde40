"""Whose Redis it is. A Redis that was emptied is marked anew by whoever looks next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import redis

from shared.ephemeral.short_term import forget_all_turns
from shared.models.sites import SiteMark

KEY = "site:mark"
MAX_PLACE = 200


@contextmanager
def _plain_faults() -> Iterator[None]:
    try:
        yield
    except redis.RedisError as exc:
        raise ConnectionError("Redis cannot be reached.") from exc


class RedisMark:
    """The mark of one Redis. Every method raises `ConnectionError` while Redis is away."""

    def __init__(self, client: redis.Redis) -> None:
        self._client = client

    @_plain_faults()
    def read(self) -> SiteMark | None:
        """What is no mark is none."""
        fields = self._client.hgetall(KEY)
        try:
            return SiteMark(
                site_id=_plain(str(fields["site_id"])),
                pulse=float(fields.get("pulse", 0)),
                place=_plain(str(fields.get("place", ""))),
            )
        except (KeyError, ValueError):
            return None

    def write(self, mark: SiteMark) -> bool:
        """Mark the Redis. False: it is marked for another site."""
        with _plain_faults():
            self._client.hsetnx(KEY, "site_id", mark.site_id)
            is_ours = self._client.hget(KEY, "site_id") == mark.site_id
            if is_ours:
                self._client.hset(KEY, items=["pulse", repr(mark.pulse), "place", mark.place])
            return is_ours

    @_plain_faults()
    def remove(self) -> None:
        """Remove it with all turns: the next site may be an older copy of this one."""
        self._client.delete(KEY)
        forget_all_turns(self._client)


def _plain(text: str) -> str:
    """For a terminal and a log: the other site has written it."""
    return "".join(letter for letter in text[:MAX_PLACE] if letter.isprintable())
