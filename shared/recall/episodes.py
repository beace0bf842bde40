"""Episode search: by the relevant messages that episodes contain, and by their summaries."""

from __future__ import annotations

from collections.abc import Sequence

from shared.db import PgConnection
from shared.models import Query
from shared.policy.ranking.episodes import FoundEpisodes
from shared.policy.ranking.passages import Ranked, key_of
from shared.store.search import episode_hits

CANDIDATES = 30  # of each kind of search
MESSAGES = 50  # the best relevant messages, whose episodes are looked up


def search_episodes(
    connection: PgConnection, query: Query, relevant: Sequence[Ranked], limit: int = CANDIDATES
) -> FoundEpisodes:
    """`relevant` are the relevant messages, best first. `limit` is for each kind of search."""
    scores = {key_of(one.passage): one.score for one in relevant[:MESSAGES]}
    return FoundEpisodes(
        by_messages=episode_hits.list_containing(connection, query, scores),
        by_meaning=episode_hits.search_by_meaning(connection, query, limit),
        by_words=episode_hits.search_by_words(connection, query, limit),
    )
