"""The episodes and messages that fit what is asked, for a prompt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shared.db import PgConnection
from shared.embeddings import model_name
from shared.guard import Guard
from shared.models import Conversation, Encoded, Episode, Place, Quote, Span, UserId
from shared.policy.quoting import drop_repeats, shorten
from shared.policy.ranking import leave_out_given, rank_episodes
from shared.policy.ranking.passages import Ranked, add_context
from shared.policy.ranking.relevance import choose_relevant
from shared.recall.episodes import find_episodes
from shared.recall.messages import recollect
from shared.recall.spelling import Corrected
from shared.settings import Settings
from shared.store.search import passages

MAX_QUOTES = 40  # what the budget cuts of them is told in the trace
MAX_QUOTED_CHARS = 20_000  # of one message, to find the place in it

NOTHING: tuple[Sequence[Ranked], Sequence[Quote]] = ((), ())


@dataclass(frozen=True, kw_only=True)
class Fitting:
    """Looks for what fits a question, but for what of its `conversation` is `given` anyway."""

    guard: Guard
    settings: Settings
    conversation: Conversation
    read: Corrected
    encoded: Encoded | None
    given: Span

    def find_messages(self) -> tuple[Sequence[Ranked], Sequence[Quote]]:
        """All that is relevant, and what is quoted of it; best first."""
        return self.guard.query("messages", self._messages, NOTHING)

    def find_episodes(self, relevant: Sequence[Ranked]) -> Sequence[Episode]:
        return self.guard.query("episodes", lambda held: self._episodes(held, relevant), [])

    def _messages(self, connection: PgConnection) -> tuple[Sequence[Ranked], Sequence[Quote]]:
        found = recollect(
            connection,
            self.conversation.user_id,
            self.read.question,
            self.encoded,
            model_name(self.settings),
            is_said=True,
            corrected_words=self.read.words,
        )
        fresh = [one for one in found.ranked if not self._is_given(one)]
        relevant = choose_relevant(fresh, found.words)
        best = add_context(relevant[:MAX_QUOTES], fresh)
        return relevant, quote(connection, self.conversation.user_id, best, list(found.words))

    def _episodes(self, connection: PgConnection, relevant: Sequence[Ranked]) -> Sequence[Episode]:
        passages.prepare_search(connection)
        found = find_episodes(
            connection,
            self.conversation.user_id,
            self.read.text,
            relevant=relevant,
            encoded=self.encoded,
            embedding_model=model_name(self.settings),
        )
        fresh = leave_out_given(found, self.conversation.conversation_id, self.given)
        return rank_episodes(fresh, self.settings.recall_top_k)

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
