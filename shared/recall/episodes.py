"""Episode search: by the relevant messages that episodes contain, and by their summaries."""

from __future__ import annotations

from collections.abc import Sequence

from shared.db import PgConnection
from shared.models import Episode, FoundEpisode, Query, UserId
from shared.policy.ranking.episodes import FoundEpisodes, is_replaced
from shared.policy.ranking.passages import Ranked, key_of
from shared.recall.prompt_content import NOTHING_GIVEN, Given
from shared.store import episodes
from shared.store.search import episode_hits

CANDIDATES = 30  # of each kind of search
MESSAGES = 50  # the best relevant messages, whose episodes are looked up


def search_episodes(
    connection: PgConnection,
    query: Query,
    relevant: Sequence[Ranked],
    limit: int = CANDIDATES,
    *,
    compares_all: bool = False,
) -> FoundEpisodes:
    """Search episodes by the messages in them, by meaning and by words.

    `relevant` are the relevant messages, best first. `limit` bounds each of the three searches.
    `compares_all`: as in `list_hits`.
    """
    scores = {key_of(hit.passage): hit.score for hit in relevant[:MESSAGES]}
    by_kind = episode_hits.list_hits(connection, query, scores, limit, compares_all=compares_all)
    return FoundEpisodes(
        by_messages=by_kind["messages"], by_meaning=by_kind["meaning"], by_words=by_kind["words"]
    )


def read_episodes(
    connection: PgConnection,
    user_id: UserId,
    hits: Sequence[FoundEpisode],
    prompt_content: Given = NOTHING_GIVEN,
) -> list[Episode]:
    """The standing episodes, then those that were found, in the same order.

    Without those deleted since, and those whose messages another branch replaced.
    """
    ids = list(dict.fromkeys([*(prompt_content.standing or ()), *(hit.episode_id for hit in hits)]))
    if not ids:
        return []
    by_id = {
        episode.episode_id: episode
        for episode in episodes.list_by_ids(connection, user_id, ids, of_memory=True)
        if not is_replaced(episode, prompt_content.replaced)
    }
    return [by_id[each] for each in ids if each in by_id]
