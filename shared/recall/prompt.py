"""Recall: gather what one prompt is given, in three stages: facts, episodes, this conversation.

Read by a round; writes nothing but turns that Redis had lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from shared.db import PgConnection
from shared.guard import Guard
from shared.llm import count_tokens
from shared.models import (
    Conversation,
    Encoded,
    Fact,
    OpenRound,
    Span,
    Summary,
)
from shared.policy.budget import Room
from shared.policy.prompt import Recalled
from shared.policy.ranking.question import Question
from shared.policy.verbatim import Verbatim, choose_verbatim
from shared.recall.messages import read_asked
from shared.recall.newest_turns import newest_turns
from shared.recall.selection import Fitting
from shared.recall.spelling import Corrected, read_corrected
from shared.services import Services
from shared.settings import Settings
from shared.steps import Steps
from shared.store import summaries
from shared.store.facts import versions as fact_versions
from shared.time_zones import zone_of

MAX_FACTS = 100
ENCODE_TIMEOUT_S = 0.5


class Encoder(Protocol):
    """Makes a query's vector, or None while it cannot: recall then goes by words alone."""

    def encode(self, text: str, timeout_s: float) -> Encoded | None: ...

    def knows(self, word: str) -> bool:
        """Whether this is surely no typing error."""


def recall(
    services: Services, encoder: Encoder, opened: OpenRound, steps: Steps, room: Room
) -> Recalled:
    """What the reply to `opened` is to know. Without memory: nothing at all.

    Never fails: a step that does leaves out what it would have found.
    """
    if not services.settings.enable_memory:
        return Recalled()
    guard = Guard(services.database, steps, services.settings.recall_timeout_s)
    if opened.conversation.mode != "active":
        verbatim = _verbatim(guard, services, opened, None, room)
        return Recalled(verbatim=verbatim, failed=tuple(guard.failed))
    return _remembered(guard, services, encoder, opened, room)


def _remembered(
    guard: Guard, services: Services, encoder: Encoder, opened: OpenRound, room: Room
) -> Recalled:
    """The newest turns; facts, the rolling summary, and the episodes and messages that fit."""
    conversation, settings = opened.conversation, services.settings
    nothing: Sequence[Fact] = ()
    known = guard.query("facts", lambda held: _list_facts(held, conversation, settings), nothing)
    summary = guard.query(
        "summary",
        lambda held: summaries.find_newest_summary(held, conversation.conversation_id),
        None,
    )
    verbatim = _verbatim(guard, services, opened, summary, room)
    read = _read(guard, encoder, opened)
    fitting = Fitting(
        guard=guard,
        settings=settings,
        conversation=conversation,
        read=read,
        encoded=_encode(guard, encoder, read),
        given=_given(opened, verbatim),
    )
    relevant, quotes = fitting.find_messages()
    return Recalled(
        facts=known,
        episodes=fitting.find_episodes(relevant),
        quotes=quotes,
        memory_id=summary.memory_id if summary else None,
        summary_end=summary.end_sequence if summary else None,
        points=summary.points if summary else (),
        verbatim=verbatim,
        corrected=read.meant,
        failed=tuple(dict.fromkeys(guard.failed)),
    )


def _list_facts(
    connection: PgConnection, conversation: Conversation, settings: Settings
) -> Sequence[Fact]:
    return fact_versions.list_recallable(
        connection, conversation.user_id, settings.fact_recall_importance, MAX_FACTS
    )


def _verbatim(
    guard: Guard, services: Services, opened: OpenRound, summary: Summary | None, room: Room
) -> Verbatim:
    current = opened.user_message.sequence_number
    gap_start = summary.end_sequence + 1 if summary else 0

    def choose() -> Verbatim:
        turns = newest_turns(services, opened.conversation.conversation_id, current, gap_start)
        return choose_verbatim(turns, gap_start, room, count_tokens(services.settings.llm_model))

    return guard.run("turns", choose, Verbatim())


def _given(opened: OpenRound, verbatim: Verbatim) -> Span:
    """What of the conversation stands in the prompt: the newest turns and the question itself."""
    current = opened.user_message.sequence_number
    start = verbatim.turns[0].seq if verbatim.turns else current
    return Span(start=start, end=current)


def _read(guard: Guard, encoder: Encoder, opened: OpenRound) -> Corrected:
    """As it is written where typing errors cannot be looked for, without names where these cannot
    be read."""
    asked, user_id = opened.user_message, opened.conversation.user_id
    text, asked_at = asked.content, asked.created_at.astimezone(zone_of(opened.time_zone))
    question = guard.query(
        "question",
        lambda held: read_asked(held, user_id, text, asked_at),
        Question.plain(text),
    )

    def correct(connection: PgConnection) -> Corrected:
        return read_corrected(
            connection,
            user_id,
            text,
            asked_at,
            encoder.knows,
            said_times=1,  # the message is said by now
            question=question,
        )

    as_written = Corrected(question=question, text=text, meant={}, words=())
    return guard.query("spelling", correct, as_written)


def _encode(guard: Guard, encoder: Encoder, read: Corrected) -> Encoded | None:
    asked = read.question.for_meaning
    return guard.run("embed_query", lambda: encoder.encode(asked, ENCODE_TIMEOUT_S), None)
