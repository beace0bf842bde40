"""Gather what one prompt is given: facts, the summary, the newest turns, quotes and episodes.

A round reads here. Nothing is written but turns that Redis had lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shared.db import PgConnection
from shared.embeddings import model_name
from shared.guard import Guard
from shared.llm import count_tokens
from shared.models import (
    ConversationId,
    Episode,
    Fact,
    OpenRound,
    Query,
    Quote,
    Span,
    Summary,
)
from shared.policy.budget import Room
from shared.policy.prompt import Recalled
from shared.policy.ranking import leave_out_given, rank_episodes
from shared.policy.ranking.passages import Ranked, add_context
from shared.policy.ranking.relevance import choose_relevant
from shared.policy.verbatim import Verbatim, choose_verbatim
from shared.recall.encoder import ENCODE_TIMEOUT_S, Encoder
from shared.recall.episodes import search_episodes
from shared.recall.messages import search_messages
from shared.recall.newest_turns import newest_turns
from shared.recall.query import Reading, read_query
from shared.recall.quotes import MAX_QUOTES, list_quotes
from shared.recall.spelling import correct_spelling
from shared.services import Services
from shared.steps import Steps
from shared.store import summaries
from shared.store.facts import versions as fact_versions
from shared.store.search import candidates
from shared.time_zones import zone_of

MAX_FACTS = 100


def recall(
    services: Services, encoder: Encoder, opened: OpenRound, steps: Steps, room: Room
) -> Recalled:
    """What the reply to `opened` is to know; without memory, nothing at all.

    Never raises. A step that fails leaves out what it would have found.
    """
    if not services.settings.enable_memory:
        return Recalled()
    guard = Guard(services.database, steps, services.settings.recall_timeout_s)
    return _Recall(services, encoder, opened, guard, room).gather()


@dataclass(frozen=True)
class _Recall:
    """The recall of one round. Each method but `gather` is one step."""

    services: Services
    encoder: Encoder
    opened: OpenRound
    guard: Guard
    room: Room

    def gather(self) -> Recalled:
        if self.opened.conversation.mode != "active":
            verbatim = self._turns(None)
            return Recalled(verbatim=verbatim, failed=tuple(self.guard.failed))
        facts, summary = self._facts(), self._summary()
        verbatim = self._turns(summary)
        reading = self._encoded(self._corrected(self._read()))
        given = self._span_of(verbatim)
        relevant, quotes = self._messages(reading, given)
        return Recalled(
            facts=facts,
            episodes=self._episodes(reading.query, relevant, given),
            quotes=quotes,
            memory_id=summary.memory_id if summary else None,
            summary_end=summary.end_sequence if summary else None,
            points=summary.points if summary else (),
            verbatim=verbatim,
            corrected=reading.corrections,
            failed=tuple(dict.fromkeys(self.guard.failed)),
        )

    def _facts(self) -> Sequence[Fact]:
        user_id = self.opened.conversation.user_id
        least = self.services.settings.fact_recall_importance

        def read(connection: PgConnection) -> Sequence[Fact]:
            return fact_versions.list_recallable(connection, user_id, least, MAX_FACTS)

        return self.guard.read("facts", read, ())

    def _summary(self) -> Summary | None:
        own = self.opened.conversation.conversation_id
        return self.guard.read(
            "summary", lambda connection: summaries.find_newest_summary(connection, own), None
        )

    def _turns(self, summary: Summary | None) -> Verbatim:
        own = self.opened.conversation.conversation_id
        gap_start = summary.end_sequence + 1 if summary else 0
        count = count_tokens(self.services.settings.llm_model)

        def choose() -> Verbatim:
            before = self.opened.user_message.sequence_number
            turns = newest_turns(self.services, own, before, gap_start)
            return choose_verbatim(turns, gap_start, self.room, count)

        return self.guard.run("turns", choose, Verbatim())

    def _span_of(self, verbatim: Verbatim) -> Span:
        """The messages of this conversation that the prompt contains anyway."""
        current = self.opened.user_message.sequence_number
        return Span(start=verbatim.turns[0].seq if verbatim.turns else current, end=current)

    def _read(self) -> Reading:
        asked = self.opened.user_message
        query = Query(
            user_id=self.opened.conversation.user_id,
            text=asked.content,
            asked_at=asked.created_at.astimezone(zone_of(self.opened.time_zone)),
            model=model_name(self.services.settings),
            is_message=True,
        )
        return self.guard.read(
            "question", lambda connection: read_query(connection, query), Reading.literal(query)
        )

    def _corrected(self, reading: Reading) -> Reading:
        return self.guard.read(
            "spelling",
            lambda connection: correct_spelling(connection, reading, self.encoder.knows),
            reading,
        )

    def _encoded(self, reading: Reading) -> Reading:
        text = reading.question.for_meaning
        return reading.with_vectors(
            self.guard.run("embed_query", lambda: self.encoder.encode(text, ENCODE_TIMEOUT_S), None)
        )

    def _messages(self, reading: Reading, given: Span) -> tuple[Sequence[Ranked], Sequence[Quote]]:
        """All relevant messages, and the quotes of the best; without those of `given`."""
        nothing: tuple[Sequence[Ranked], Sequence[Quote]] = ((), ())
        own = self.opened.conversation.conversation_id

        def search(connection: PgConnection) -> tuple[Sequence[Ranked], Sequence[Quote]]:
            found = search_messages(connection, reading)
            others = [one for one in found.ranked if not _is_given(one, own, given)]
            relevant = choose_relevant(others, found.words)
            best = add_context(relevant[:MAX_QUOTES], others)
            user_id = reading.query.user_id
            return relevant, list_quotes(connection, user_id, best, list(found.words))

        return self.guard.read("messages", search, nothing)

    def _episodes(self, query: Query, relevant: Sequence[Ranked], given: Span) -> Sequence[Episode]:
        own = self.opened.conversation.conversation_id

        def search(connection: PgConnection) -> Sequence[Episode]:
            candidates.prepare_search(connection)
            found = leave_out_given(search_episodes(connection, query, relevant), own, given)
            return rank_episodes(found, self.services.settings.recall_top_k)

        return self.guard.read("episodes", search, ())


def _is_given(one: Ranked, conversation_id: ConversationId, given: Span) -> bool:
    found = one.passage
    return found.conversation_id == conversation_id and found.sequence_number >= given.start
