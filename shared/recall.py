"""Recall: gather what one prompt is given, in three stages: facts, episodes, this conversation.

Read by a round; writes nothing but turns that Redis had lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from shared.db import PgConnection
from shared.embeddings import Encoded, model_name
from shared.finding_episodes import find_episodes
from shared.llm import count_tokens
from shared.models import Conversation, OpenRound, Place, Quote, Span, Summary, UserId
from shared.newest_turns import newest_turns
from shared.policy.budget import Room
from shared.policy.prompt import Recalled
from shared.policy.quoting import drop_repeats, shorten
from shared.policy.ranking import leave_out_given, rank_episodes
from shared.policy.ranking.episodes import FoundEpisodes
from shared.policy.ranking.passages import Ranked, add_context
from shared.policy.ranking.relevance import choose_relevant
from shared.policy.verbatim import Verbatim, choose_verbatim
from shared.recollecting import recollect
from shared.services import Services
from shared.spelling import Corrected, read_corrected
from shared.steps import Steps
from shared.store import facts, memory, passages

MAX_FACTS = 100
MAX_QUOTES = 40  # what the budget cuts of them is told in the trace
MAX_QUOTED_CHARS = 20_000  # of one message, to find the place in it
ENCODE_TIMEOUT_S = 0.5


class Encoder(Protocol):
    """Makes a query's vector, or None while it cannot: recall then goes by words alone."""

    def encode(self, text: str, timeout_s: float) -> Encoded | None: ...

    def knows(self, word: str) -> bool:
        """Whether this is surely no typing error."""


def recall(
    services: Services, encoder: Encoder, opened: OpenRound, steps: Steps, room: Room
) -> Recalled:
    """What the reply to `opened` is to know. Without memory: nothing at all."""
    if not services.settings.enable_memory:
        return Recalled()
    if opened.conversation.mode == "active":
        return _remembered(services, encoder, opened, steps, room)
    with steps.step("turns"):
        return Recalled(verbatim=_verbatim(services, opened, None, room))


def _remembered(
    services: Services, encoder: Encoder, opened: OpenRound, steps: Steps, room: Room
) -> Recalled:
    """The newest turns; facts, the rolling summary, and the episodes and messages that fit."""
    conversation, settings = opened.conversation, services.settings
    with services.database.transaction() as connection:
        with steps.step("summary"):
            summary = memory.find_newest_summary(connection, conversation.conversation_id)
        with steps.step("question"):
            read = _read(connection, encoder, opened)
    with steps.step("turns"):
        verbatim = _verbatim(services, opened, summary, room)
    with steps.step("embed_query"):
        encoded = encoder.encode(read.question.for_meaning, ENCODE_TIMEOUT_S)
    with services.database.transaction() as connection:
        with steps.step("facts"):
            known = facts.list_recallable(
                connection, conversation.user_id, settings.fact_recall_importance, MAX_FACTS
            )
        fitting = _Fitting(
            connection=connection,
            conversation=conversation,
            read=read,
            encoded=encoded,
            model=model_name(settings),
            given=_given(opened, verbatim),
        )
        with steps.step("messages"):
            relevant, quotes = fitting.find_messages()
        with steps.step("episodes"):
            found = fitting.find_episodes(relevant)
    return Recalled(
        facts=known,
        episodes=rank_episodes(found, settings.recall_top_k),
        quotes=quotes,
        memory_id=summary.memory_id if summary else None,
        summary_end=summary.end_sequence if summary else None,
        points=summary.points if summary else (),
        verbatim=verbatim,
        corrected=read.meant,
    )


def _verbatim(
    services: Services, opened: OpenRound, summary: Summary | None, room: Room
) -> Verbatim:
    current = opened.user_message.sequence_number
    gap_start = summary.end_sequence + 1 if summary else 0
    turns = newest_turns(services, opened.conversation.conversation_id, current, gap_start)
    return choose_verbatim(turns, gap_start, room, count_tokens(services.settings.llm_model))


def _given(opened: OpenRound, verbatim: Verbatim) -> Span:
    """What of the conversation stands in the prompt: the newest turns and the question itself."""
    current = opened.user_message.sequence_number
    start = verbatim.turns[0].seq if verbatim.turns else current
    return Span(start=start, end=current)


def _read(connection: PgConnection, encoder: Encoder, opened: OpenRound) -> Corrected:
    asked = opened.user_message
    return read_corrected(
        connection,
        opened.conversation.user_id,
        asked.content,
        asked.created_at.date(),
        encoder.knows,
        said_times=1,  # the message is said by now
    )


@dataclass(frozen=True, kw_only=True)
class _Fitting:
    """Looks for what fits a question, but for what of its `conversation` is `given` anyway."""

    connection: PgConnection
    conversation: Conversation
    read: Corrected
    encoded: Encoded | None
    model: str
    given: Span

    def find_messages(self) -> tuple[list[Ranked], list[Quote]]:
        """All that is relevant, and what is quoted of it; best first."""
        found = recollect(
            self.connection,
            self.conversation.user_id,
            self.read.question,
            self.encoded,
            self.model,
            is_said=True,
            corrected_words=self.read.words,
        )
        fresh = [one for one in found.ranked if not self._is_given(one)]
        relevant = choose_relevant(fresh, found.words)
        best = add_context(relevant[:MAX_QUOTES], fresh)
        return relevant, quote(self.connection, self.conversation.user_id, best, list(found.words))

    def find_episodes(self, relevant: Sequence[Ranked]) -> FoundEpisodes:
        found = find_episodes(
            self.connection,
            self.conversation.user_id,
            self.read.text,
            relevant=relevant,
            encoded=self.encoded,
            embedding_model=self.model,
        )
        return leave_out_given(found, self.conversation.conversation_id, self.given)

    def _is_given(self, one: Ranked) -> bool:
        return (
            one.passage.conversation_id == self.conversation.conversation_id
            and one.passage.sequence_number >= self.given.start
        )


def quote(
    connection: PgConnection, user_id: UserId, ranked: Iterable[Ranked], words: Sequence[str]
) -> list[Quote]:
    """What was said there, in the same order, without what only repeats something better."""
    scores = {_place(one): one.score for one in ranked}
    found = passages.list_quotes(connection, user_id, scores, MAX_QUOTED_CHARS)
    best_first = sorted(found, key=lambda one: -one.score)
    return [shorten(one, words) for one in drop_repeats(best_first)]


def _place(one: Ranked) -> Place:
    return Place(
        conversation_id=one.passage.conversation_id,
        sequence_number=one.passage.sequence_number,
    )
