"""Search for episodes: by what they sum up, and through the messages that answer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from shared.db import PgConnection
from shared.models import Encoded, Place, UserId
from shared.policy.ranking.episodes import FoundEpisodes
from shared.policy.ranking.passages import Ranked
from shared.store import episodes

CANDIDATES = 30
PLACES = 50  # the best messages, whose episodes are looked for


def find_episodes(
    connection: PgConnection,
    user_id: UserId,
    text: str,
    *,
    relevant: Sequence[Ranked],
    encoded: Encoded | None,
    embedding_model: str,
    limit: int = CANDIDATES,
    as_of: datetime | None = None,
) -> FoundEpisodes:
    """`text` is what is asked, `relevant` the messages that answer it, best first, if any do.

    At most `limit` by each kind of search. Without `encoded` not by meaning. With `as_of` those
    that had ended by then.
    """
    best = [(one.passage, one.score) for one in relevant[:PLACES]]
    scores = {Place(said.conversation_id, said.sequence_number): score for said, score in best}
    return FoundEpisodes(
        by_messages=episodes.list_around(connection, user_id, scores, as_of=as_of),
        by_meaning=[]
        if encoded is None
        else episodes.search_by_meaning(
            connection, user_id, encoded.vector, embedding_model, limit, as_of=as_of
        ),
        by_words=episodes.search_by_words(connection, user_id, text, limit, as_of=as_of),
    )
