"""Pages of what is remembered, newest first. A cursor names the last item of a page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from flask import g

from shared.errors import InvalidRequestError
from shared.models import Category, Episode, Fact
from shared.store import episodes
from shared.store.facts import versions as fact_versions
from web.fields.memories import memory_transaction
from web.mcp.uris import MAX_ID
from web.process.context import transaction

_NUMBER = re.compile(r"[0-9]{1,19}", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class FactFilter:
    """Which facts a list has. Without anything: the current ones in the shared memory."""

    category: Category | None = None
    with_history: bool = False
    as_of: datetime | None = None
    project: str | None = None


def list_facts(
    before: int | None, limit: int, only: FactFilter
) -> tuple[Sequence[Fact], int | None]:
    """At most `limit` facts with smaller ids than `before`, and the `before` of the next page."""
    with memory_transaction(only.project) as connection:
        batch = fact_versions.list_facts(
            connection,
            g.user_id,
            category=only.category,
            with_history=only.with_history,
            as_of=only.as_of,
        )
    rest = [fact for fact in batch if before is None or fact.fact_id < before]
    page = sorted(rest, key=lambda fact: fact.fact_id, reverse=True)[:limit]
    return page, page[-1].fact_id if len(rest) > limit else None


def list_episodes(before: int | None, limit: int) -> tuple[Sequence[Episode], int | None]:
    """List episodes, newest first, and the place that the next page begins before."""
    with transaction() as connection:
        batch = episodes.list_episodes(
            connection, g.user_id, conversation_id=None, limit=limit + 1, before_id=before
        )
    page = batch[:limit]
    return page, page[-1].episode_id if len(batch) > limit else None


def read_cursor(text: str) -> int:
    """Read a cursor. Raises `InvalidRequestError`."""
    if not _NUMBER.fullmatch(text) or int(text) > MAX_ID:
        raise InvalidRequestError("cursor: not a place in this list.")
    return int(text)
