"""Table `episodic_memory`: search across a user's conversations.

Only keys and scores are read here: reading the texts of all candidates, and more so their vectors,
would take longer than the search.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from shared.db import PgConnection, fetch_tuples, prepared
from shared.models import ConversationId, FoundEpisode, MessageKey, Query, Span
from shared.models.memory_scope import SHARED_MEMORY
from shared.store.search.literals import vector_literal

Kind: TypeAlias = Literal["messages", "meaning", "words"]

# Episodes of a conversation never overlap, so each message of `given` is one look-up in the index.
_WITH_MESSAGES = """
WITH asked AS MATERIALIZED (
    SELECT string_agg(quote_literal(lexeme), ' | ')::tsquery AS words,
           %(vector)s::vector AS vector
    FROM unnest(said_words(%(query)s))),
containing AS (
    SELECT episode.id, max(given.score) AS score
    FROM unnest(%(conversations)s::text[]::uuid[], %(sequences)s::integer[], %(scores)s::float8[])
         AS given (conversation_id, sequence, score),
         LATERAL (
            SELECT id, turn_end FROM episodic_memory e
            WHERE e.conversation_id = given.conversation_id AND status = 'completed'
              AND turn_start <= given.sequence
            ORDER BY turn_start DESC LIMIT 1) AS episode
    WHERE episode.turn_end >= given.sequence
    GROUP BY episode.id)
SELECT 'messages', id, conversation_id::text, turn_start, turn_end, score
FROM containing JOIN episodic_memory USING (id)
WHERE user_id = %(user_id)s
  AND (conversation_id IN (SELECT kept_inside())) = (current_project() IS NOT NULL)
  AND (%(as_of)s::timestamptz IS NULL OR coalesce(ended_at, created_at) <= %(as_of)s)
"""
_NEAREST_BY_INDEX = """
UNION ALL
(SELECT 'meaning', id, conversation_id::text, turn_start, turn_end,
        1 - (embedding <=> %(vector)s::vector)
 FROM episodic_memory
 WHERE user_id = %(user_id)s AND status = 'completed'
   AND embedding_model = %(embedding_model)s AND %(vector)s::vector IS NOT NULL
   AND current_project() IS NULL AND conversation_id NOT IN (SELECT kept_inside())
   AND (%(as_of)s::timestamptz IS NULL OR coalesce(ended_at, created_at) <= %(as_of)s)
 ORDER BY embedding <=> %(vector)s::vector
 LIMIT %(limit)s)
"""
_NEAREST_OF_ALL = """
UNION ALL
(SELECT 'meaning', id, conversation_id::text, turn_start, turn_end,
        1 - (embedding <=> asked.vector) AS score
 FROM episodic_memory, asked
 WHERE user_id = %(user_id)s AND status = 'completed'
   AND embedding_model = %(embedding_model)s AND asked.vector IS NOT NULL
   AND (conversation_id IN (SELECT kept_inside())) = (current_project() IS NOT NULL)
   AND (%(as_of)s::timestamptz IS NULL OR coalesce(ended_at, created_at) <= %(as_of)s)
 ORDER BY score DESC
 LIMIT %(limit)s)
"""
_WITH_WORDS = """
UNION ALL
(SELECT 'words', id, conversation_id::text, turn_start, turn_end,
        ts_rank(episodic_memory.words, asked.words) AS score
 FROM episodic_memory, asked
 WHERE user_id = %(user_id)s AND status = 'completed'
   AND episodic_memory.words @@ asked.words
   AND (conversation_id IN (SELECT kept_inside())) = (current_project() IS NOT NULL)
   AND (%(as_of)s::timestamptz IS NULL OR coalesce(ended_at, created_at) <= %(as_of)s)
 ORDER BY score DESC, id DESC
 LIMIT %(limit)s)
"""
_BY_INDEX = _WITH_MESSAGES + _NEAREST_BY_INDEX + _WITH_WORDS
_ALL_COMPARED = prepared(_WITH_MESSAGES + _NEAREST_OF_ALL + _WITH_WORDS)


def list_hits(
    connection: PgConnection,
    query: Query,
    scores: Mapping[MessageKey, float],
    limit: int,
    *,
    compares_all: bool = False,
) -> dict[Kind, list[FoundEpisode]]:
    """The episodes that each kind of search finds, in no order.

    "messages": those that contain the messages of `scores`, with the score of the best one.
    "meaning": the `limit` nearest to the query, with the cosine similarity, -1 to 1; none for a
    query without vectors. "words": the `limit` best of those that share a word with the query,
    with Postgres's `ts_rank`. With `query.as_of` only episodes that had ended by then.

    `compares_all` asks no index by meaning, and is exact. So it is in a project's own memory: the
    index, in which its episodes stand among those of everybody, might end before it comes to them.
    """
    is_inside = getattr(connection, "memory", SHARED_MEMORY) != SHARED_MEMORY
    rows = fetch_tuples(
        connection,
        _ALL_COMPARED if compares_all or is_inside else _BY_INDEX,
        user_id=query.user_id,
        query=query.text,
        vector=vector_literal(query.encoded.vector) if query.encoded else None,
        embedding_model=query.model,
        conversations=[key.conversation_id for key in scores],
        sequences=[key.sequence_number for key in scores],
        scores=list(scores.values()),
        limit=limit,
        as_of=query.as_of,
    )
    hits: dict[Kind, list[FoundEpisode]] = {"messages": [], "meaning": [], "words": []}
    for kind, episode_id, conversation_id, start, end, score in rows:
        hit = FoundEpisode(
            episode_id=episode_id,
            conversation_id=ConversationId(conversation_id),
            span=Span(start=start, end=end),
            score=float(score),
        )
        hits[kind].append(hit)
    return hits
