"""Traces with their texts: the memory that a reply was given, if it still exists.

A stored trace has only ids. The texts are read when the trace is shown. An item that was deleted
or changed since the reply is shown as `gone`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from shared.db import PgConnection, in_memory
from shared.models import ConversationId, Fact, Message, MessageKey, Query, Quote, UserId
from shared.models.attachments import FilePassage
from shared.models.memory_scope import ALL_MEMORIES
from shared.policy.quoting import MAX_QUOTED_CHARS, cut
from shared.policy.reuse import Answered
from shared.recall.spelling import find_correction
from shared.store import conversation_lists, episodes, messages
from shared.store.facts import versions as fact_versions
from shared.store.projects import enter_memory_of
from shared.store.search import file_passages, passages

Json = dict[str, Any]


def read_trace(
    connection: PgConnection, user_id: UserId, conversation_id: ConversationId, sequence: int
) -> Json | None:
    """The trace of a reply with its texts. None: this message has no trace.

    The caller has checked that the user owns the conversation.
    """
    reply = messages.find_message(connection, conversation_id, sequence)
    if reply is None or reply.trace is None:
        return None
    trace: Json = dict(reply.trace)
    if "facts" not in trace:
        return trace  # no prompt was built
    with in_memory(connection, ALL_MEMORIES):
        facts = _facts(connection, user_id, trace["facts"])
    enter_memory_of(connection, conversation_id)
    found_episodes = _episodes(connection, user_id, trace["episodes"])
    quotes = _quotes(connection, user_id, trace.get("messages", []), reply.created_at)
    found_passages = _passages(connection, user_id, trace.get("passages", []))
    question = messages.find_message(connection, conversation_id, sequence - 1)
    _mark_used(
        Answered(question.content if question else "", reply.content),
        facts,
        [*found_episodes, *quotes, *found_passages],
    )
    _add_titles(connection, user_id, [*facts, *found_episodes, *quotes])
    return trace | {
        "facts": facts,
        "episodes": found_episodes,
        "messages": quotes,
        "passages": found_passages,
        "corrected": _corrected(connection, user_id, trace.get("corrected", []), reply),
    }


def _facts(connection: PgConnection, user_id: UserId, items: Sequence[Json]) -> list[Json]:
    ids = [item["fact_id"] for item in items]
    facts = fact_versions.list_by_ids(connection, user_id, ids) if ids else []
    known = {fact.fact_id: _fact_json(fact) for fact in facts}
    return [item | known.get(item["fact_id"], {"gone": True}) for item in items]


def _episodes(connection: PgConnection, user_id: UserId, items: Sequence[Json]) -> list[Json]:
    ids = [item["episode_id"] for item in items]
    records = episodes.list_by_ids(connection, user_id, ids) if ids else []
    known = {episode.episode_id: {"summary": episode.summary} for episode in records}
    return [item | known.get(item["episode_id"], {"gone": True}) for item in items]


def _quotes(
    connection: PgConnection, user_id: UserId, items: Sequence[Json], replied_at: datetime
) -> list[Json]:
    keys = [MessageKey(ConversationId(item["conversation_id"]), item["sequence"]) for item in items]
    starts = {key: item.get("start", 0) for key, item in zip(keys, items, strict=True)}
    scores = dict.fromkeys(keys, 0.0)
    quotes = passages.list_quotes(connection, user_id, scores, MAX_QUOTED_CHARS) if scores else []
    known = {
        key: _quote_json(cut(quote, starts[key]))
        for quote in quotes
        for key in [MessageKey(quote.conversation_id, quote.sequence_number)]
        if quote.said_at <= replied_at  # a later time: the message was edited since
    }
    return [item | known.get(key, {"gone": True}) for item, key in zip(items, keys, strict=True)]


def _passages(connection: PgConnection, user_id: UserId, items: Sequence[Json]) -> list[Json]:
    places = [(item["attachment_id"], item["number"]) for item in items]
    records = file_passages.list_by_place(connection, user_id, places) if places else []
    known = {(passage.attachment_id, passage.number): _passage_json(passage) for passage in records}
    return [
        item | known.get(place, {"gone": True}) for item, place in zip(items, places, strict=True)
    ]


def _corrected(
    connection: PgConnection, user_id: UserId, words: Sequence[str], reply: Message
) -> Mapping[str, str | None]:
    """The correction of each word, found again in the messages of that time that still exist."""
    replied_at = reply.created_at
    return {
        word: find_correction(
            connection,
            Query(user_id=user_id, text=word, asked_at=replied_at, as_of=replied_at),
            word,
        )
        for word in words
    }


def _mark_used(answered: Answered, facts: Sequence[Json], texts: Sequence[Json]) -> None:
    """Mark the items whose words the reply says."""
    for fact in facts:
        if not fact.get("gone"):
            fact["used"] = answered.says_value(fact["value"])
    for item in texts:
        if not item.get("gone"):
            item["used"] = answered.says_some(item.get("text") or item.get("summary", ""))


def _add_titles(connection: PgConnection, user_id: UserId, items: Sequence[Json]) -> None:
    """Name the conversation that each item comes from."""
    sources = [item for item in items if item.get("conversation_id") and not item.get("gone")]
    ids = {ConversationId(item["conversation_id"]) for item in sources}
    titles = conversation_lists.list_titles(connection, user_id, ids) if ids else {}
    for item in sources:
        item["title"] = titles.get(item["conversation_id"])


def _fact_json(fact: Fact) -> Json:
    return {
        "category": fact.category,
        "key": fact.key,
        "value": fact.value,
        "conversation_id": fact.source_conversation_id,
        "sequence": fact.source_sequence,
    }


def _quote_json(quote: Quote) -> Json:
    return {
        "role": quote.role,
        "name": quote.name,
        "said_at": quote.said_at.isoformat(),
        "text": quote.text,
    }


def _passage_json(passage: FilePassage) -> Json:
    return {
        "name": passage.name,
        "conversation_id": passage.conversation_id,
        "sequence": passage.sequence_number,
        "title": passage.title,
        "place": asdict(passage.place) if passage.place else None,
        "text": passage.text,
    }
