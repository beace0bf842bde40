"""Episode search: by the relevant messages that episodes contain, and by their summaries."""

from __future__ import annotations

from collections.abc import Sequence

from shared.db import PgConnection
from shared.models import Query
from shared.policy.ranking.episodes import FoundEpisodes
from shared.policy.ranking.passages import Ranked, key_of
from shared.store import episodes

CANDIDATES = 30  # of each kind of search
MESSAGES = 50  # the best relevant messages, whose episodes are looked up


def search_episodes(
    connection: PgConnection, query: Query, relevant: Sequence[Ranked], limit: int = CANDIDATES
) -> FoundEpisodes:
    """`relevant` are the messages that answer, best first. `limit` is for each kind of search."""
    scores = {key_of(one.passage): one.score for one in relevant[:MESSAGES]}
    return FoundEpisodes(
        by_messages=episodes.list_around(connection, query, scores),
        by_meaning=episodes.search_by_meaning(connection, query, limit),
        by_words=episodes.search_by_words(connection, query, limit),
    )
