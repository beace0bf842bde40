"""What a reply was given, as far as it still exists: a trace names it by ids, and it is read anew.

What was deleted since, or says something else by now, is shown as `gone`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from shared.db import PgConnection
from shared.models import ConversationId, Episode, Fact, Message, Place, Quote, UserId
from shared.policy.quoting import MAX_CHARS, shorten
from shared.recall.spelling import find_meant
from shared.store import episodes, messages
from shared.store.facts import versions as fact_versions
from shared.store.search import passages

Json = dict[str, Any]


def read_trace(
    connection: PgConnection, user_id: UserId, conversation_id: ConversationId, sequence: int
) -> Json | None:
    """The trace of a reply with the words of what it names. None: there is none.

    The user owns the conversation.
    """
    reply = messages.find_message(connection, conversation_id, sequence)
    if reply is None or reply.trace is None:
        return None
    trace: Json = dict(reply.trace)
    if "facts" not in trace:
        return trace  # nothing was recalled, or it failed before
    return trace | {
        "facts": _facts(connection, user_id, trace["facts"]),
        "episodes": _episodes(connection, user_id, trace["episodes"]),
        "messages": _quotes(connection, user_id, trace.get("messages", []), reply.created_at),
        "corrected": _corrected(connection, user_id, trace.get("corrected", []), reply),
    }


def _facts(connection: PgConnection, user_id: UserId, given: Sequence[Json]) -> list[Json]:
    ids = [one["fact_id"] for one in given]
    found = fact_versions.list_by_ids(connection, user_id, ids) if ids else []
    held = {fact.fact_id: _fact_json(fact) for fact in found}
    return [one | held.get(one["fact_id"], {"gone": True}) for one in given]


def _episodes(connection: PgConnection, user_id: UserId, given: Sequence[Json]) -> list[Json]:
    ids = [one["episode_id"] for one in given]
    found = episodes.list_by_ids(connection, user_id, ids) if ids else []
    held = {episode.episode_id: _episode_json(episode) for episode in found}
    return [one | held.get(one["episode_id"], {"gone": True}) for one in given]


def _quotes(
    connection: PgConnection, user_id: UserId, given: Sequence[Json], replied_at: datetime
) -> list[Json]:
    scores = {Place(ConversationId(one["conversation_id"]), one["sequence"]): 0.0 for one in given}
    found = passages.list_quotes(connection, user_id, scores, MAX_CHARS + 1) if scores else []
    held = {
        (quote.conversation_id, quote.sequence_number): _quote_json(quote)
        for quote in found
        if quote.said_at <= replied_at  # else it was put in other words since
    }
    return [
        one | held.get((one["conversation_id"], one["sequence"]), {"gone": True}) for one in given
    ]


def _corrected(
    connection: PgConnection, user_id: UserId, words: Sequence[str], reply: Message
) -> Mapping[str, str | None]:
    """What the words were taken for, by what is still there of what had been said by then."""
    return {word: find_meant(connection, user_id, word, reply.created_at) for word in words}


def _fact_json(fact: Fact) -> Json:
    return {"category": fact.category, "key": fact.key, "value": fact.value}


def _episode_json(episode: Episode) -> Json:
    return {"summary": episode.summary}


def _quote_json(quote: Quote) -> Json:
    return {
        "role": quote.role,
        "name": quote.name,
        "said_at": quote.said_at.isoformat(),
        "text": shorten(quote, ()).text,
    }
