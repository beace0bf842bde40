"""Quotes: the texts of found messages, as a prompt shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shared.db import PgConnection
from shared.models import MessageKey, Passage, Quote, UserId
from shared.policy.quoting import FEW_WHOLE, MANY_LINES, Amount, drop_repeats, shorten
from shared.policy.ranking.passages import Criteria, Ranked, add_context, key_of
from shared.policy.ranking.question import Question
from shared.store.search import passages

MAX_QUOTED_CHARS = 20_000  # so much of a message is searched for the question's words


def amount_for(question: Question) -> Amount:
    return MANY_LINES if question.asks_for_whole and question.role != "assistant" else FEW_WHOLE


def choose_quotes(
    connection: PgConnection,
    user_id: UserId,
    relevant: Sequence[Ranked],
    ranked: Sequence[Ranked],
    criteria: Criteria,
) -> list[Quote]:
    """Quotes of the `relevant` messages, best first, with their context from `ranked`."""
    amount = amount_for(criteria.question)
    if not amount.with_replies:
        relevant = [hit for hit in relevant if not _is_reply(hit.passage)]
    best = add_context(relevant[: amount.messages], ranked)
    scores = {key_of(hit.passage): hit.score for hit in best}
    return list_quotes(connection, user_id, scores, list(criteria.words), amount.chars)


def list_quotes(
    connection: PgConnection,
    user_id: UserId,
    scores: Mapping[MessageKey, float],
    words: Sequence[str],
    chars: int = FEW_WHOLE.chars,
) -> list[Quote]:
    """Quotes, best first, without repeats. Long texts are cut around the first of `words`.

    Those of equal score stay in the order of `scores`.
    """
    quotes = passages.list_quotes(connection, user_id, scores, MAX_QUOTED_CHARS)
    best_first = sorted(quotes, key=lambda quote: -quote.score)
    return [shorten(quote, words, chars) for quote in drop_repeats(best_first)]


def _is_reply(passage: Passage) -> bool:
    """Whether the assistant said it. In imported talks of people both sides have names."""
    return passage.role == "assistant" and passage.name is None
