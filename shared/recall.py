"""Recall: gather what one prompt is given, in three stages: facts, episodes, this conversation.

Read by a round; writes nothing but turns that Redis had lost.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from shared.db import Database, PgConnection
from shared.embeddings import model_name
from shared.models import ConversationId, FoundEpisode, Message, OpenRound, Span, Turn, UserId
from shared.policy import window
from shared.policy.prompt import Recalled
from shared.policy.ranking import leave_out_given, rank_episodes
from shared.services import Services
from shared.settings import Settings
from shared.short_term import ShortTermMemory, hold_span
from shared.steps import Steps
from shared.store import episodes, facts, memory, messages

if TYPE_CHECKING:
    import numpy as np

# More than any token budget holds; bounds the read when jobs have been failing for long.
MAX_GAP_TURNS = 400
MAX_FACTS = 100
CANDIDATES = 30  # of each kind of search
ENCODE_TIMEOUT_S = 0.5

Vector: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"


class Encoder(Protocol):
    """Makes a query's vector, or None while it cannot: recall then goes by words alone."""

    def encode(self, text: str, timeout_s: float) -> Vector | None: ...


def recall(services: Services, encoder: Encoder, opened: OpenRound, steps: Steps) -> Recalled:
    """What the reply to `opened` is to know. Without memory: nothing at all."""
    if not services.settings.enable_memory:
        return Recalled()
    if opened.conversation.mode == "active":
        recalled = _remembered(services, encoder, opened, steps)
    else:
        recalled = Recalled()
    with steps.step("gap"):
        return replace(recalled, gap=_gap(services, opened, recalled.summary_end))


def gap_turns(
    database: Database, short_term: ShortTermMemory, conversation_id: ConversationId, gap: Span
) -> list[Turn]:
    """From Redis when it holds the span without a hole, else from Postgres (and refilled)."""
    held = hold_span(short_term.list_turns(conversation_id), gap.start, gap.end)
    if held is not None:
        return held
    with database.transaction() as connection:
        found = messages.list_messages(connection, conversation_id, gap, MAX_GAP_TURNS)
    turns = [turn_of(message) for message in found]
    short_term.append_turns(conversation_id, turns)
    return turns


def turn_of(message: Message) -> Turn:
    return Turn(
        role=message.role,
        content=message.content,
        ts=message.created_at.timestamp(),
        seq=message.sequence_number,
    )


def _remembered(services: Services, encoder: Encoder, opened: OpenRound, steps: Steps) -> Recalled:
    """Facts, the rolling summary, and the episodes that fit what is asked."""
    conversation, asked = opened.conversation, opened.user_message
    settings = services.settings
    with steps.step("embed_query"):
        vector = encoder.encode(asked.content, ENCODE_TIMEOUT_S)
    with services.database.transaction() as connection:
        with steps.step("facts"):
            known = facts.list_recallable(
                connection, conversation.user_id, settings.fact_recall_importance, MAX_FACTS
            )
        with steps.step("summary"):
            summary = memory.find_newest_summary(connection, conversation.conversation_id)
        with steps.step("episodes"):
            found = _search(connection, conversation.user_id, asked.content, vector, settings)
    given = Span(start=summary.start_sequence if summary else 0, end=asked.sequence_number)
    by_meaning, by_words = (
        leave_out_given(ranked, conversation.conversation_id, given) for ranked in found
    )
    return Recalled(
        facts=known,
        episodes=rank_episodes(by_meaning, by_words, settings.recall_top_k),
        memory_id=summary.memory_id if summary else None,
        summary_end=summary.end_sequence if summary else None,
        points=summary.points if summary else (),
    )


def _search(
    connection: PgConnection,
    user_id: UserId,
    query: str,
    vector: Vector | None,
    settings: Settings,
) -> tuple[list[FoundEpisode], list[FoundEpisode]]:
    """By meaning (when the query could be embedded) and by words."""
    by_words = episodes.search_by_words(connection, user_id, query, CANDIDATES)
    if vector is None:
        return [], by_words
    name = model_name(settings)
    return episodes.search_by_meaning(connection, user_id, vector, name, CANDIDATES), by_words


def _gap(services: Services, opened: OpenRound, summary_end: int | None) -> list[Turn]:
    gap = window.gap_span(summary_end, opened.user_message.sequence_number)
    if gap is None:
        return []
    conversation_id = opened.conversation.conversation_id
    return gap_turns(services.database, services.short_term, conversation_id, gap)
