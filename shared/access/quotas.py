"""Quotas of each user, counted in Postgres, where all processes see them.

A round's count is written in the transaction that opens the round. So there is no store of quotas
that could be away while rounds go on, and a round that is refused or fails to open counts nothing.

`check` and `count_…` raise `QuotaUsedUpError`, which undoes the caller's transaction.
"""

from __future__ import annotations

from shared.db import PgConnection
from shared.errors import QuotaUsedUpError
from shared.models import Daily, Quota, UserId
from shared.settings import Settings
from shared.store import quotas

SENTENCES: dict[Daily, str] = {
    "rounds": "You have used all of today's replies ({limit:,}).",
    "tokens": "You have used all of today's tokens ({limit:,}).",
    "searches": "You have used all of today's searches ({limit:,}).",
}
BEGINS_ANEW = " They begin anew at 00:00 UTC."
# Time alone frees nothing. A program that asks again by itself is to do so seldom.
FULL_RETRY_S = 3600.0
FULL = "Your messages and files fill your {limit:,} bytes of storage. Delete some to go on."


def limit_of(settings: Settings, name: Quota) -> int:
    """The limit of a quota. 0: there is none."""
    limits: dict[Quota, int] = {
        "rounds": settings.quota_rounds_per_day,
        "tokens": settings.quota_tokens_per_day,
        "searches": settings.quota_searches_per_day,
        "followers": settings.max_followers_per_user,
        "storage": settings.quota_storage_bytes,
    }
    return limits[name]


def count_round(connection: PgConnection, user_id: UserId, settings: Settings) -> None:
    """Count a round whose message is written. Raises if it is one too many or too much.

    Call it last in the transaction: it locks the user's count.
    """
    check(connection, user_id, settings, "tokens")
    check_storage(connection, user_id, settings)
    quotas.count_round(connection, user_id)
    _check_count(connection, user_id, settings, "rounds")


def count_unstored_round(connection: PgConnection, user_id: UserId, settings: Settings) -> None:
    """Count a round that is not stored. Raises as `count_round`."""
    check(connection, user_id, settings, "tokens")
    quotas.count_round(connection, user_id)
    _check_count(connection, user_id, settings, "rounds")


def count_search(connection: PgConnection, user_id: UserId, settings: Settings) -> None:
    """Count a search. Raises if it is one too many."""
    quotas.count_search(connection, user_id)
    _check_count(connection, user_id, settings, "searches")


def check(connection: PgConnection, user_id: UserId, settings: Settings, name: Daily) -> None:
    """Raises if nothing is left of the quota. It counts nothing."""
    limit = limit_of(settings, name)
    if limit:
        _compare(connection, user_id, name, most=limit - 1, limit=limit)


def check_storage(connection: PgConnection, user_id: UserId, settings: Settings) -> None:
    """Raises if the user's messages and files take more than the quota, with the new ones."""
    limit = limit_of(settings, "storage")
    if limit and quotas.count_stored_bytes(connection, user_id) > limit:
        raise QuotaUsedUpError(FULL.format(limit=limit), retry_after_s=FULL_RETRY_S)


def _check_count(
    connection: PgConnection, user_id: UserId, settings: Settings, name: Daily
) -> None:
    """Raises if what was just counted is one too many."""
    limit = limit_of(settings, name)
    if limit:
        _compare(connection, user_id, name, most=limit, limit=limit)


def _compare(
    connection: PgConnection, user_id: UserId, name: Daily, *, most: int, limit: int
) -> None:
    today = quotas.read_today(connection, user_id)
    if today.of(name) > most:
        sentence = SENTENCES[name].format(limit=limit) + BEGINS_ANEW
        raise QuotaUsedUpError(sentence, retry_after_s=today.resets_in_s)
