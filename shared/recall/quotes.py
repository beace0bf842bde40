"""Quotes: the texts of found messages, as a prompt shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shared.db import PgConnection
from shared.models import MessageKey, Passage, Quote, UserId
from shared.policy.quoting import (
    FEW_WHOLE,
    MANY_LINES,
    MAX_QUOTED_CHARS,
    Amount,
    drop_repeats,
    shorten,
)
from shared.policy.ranking.passages import Ranked, add_context, key_of
from shared.policy.ranking.question import Question
from shared.recall.messages import FoundMessages
from shared.store.search import passages


def amount_for(question: Question, tokens: int = 0) -> Amount:
    """How much to quote. `tokens` may be more than a prompt here has for quotes."""
    is_whole = question.asks_for_whole and question.role != "assistant"
    return (MANY_LINES if is_whole else FEW_WHOLE).enlarged(tokens)


def choose_quotes(
    connection: PgConnection,
    user_id: UserId,
    relevant: Sequence[Ranked],
    messages: FoundMessages,
    tokens: int = 0,
) -> list[Quote]:
    """Quotes of the `relevant` of the messages, best first, with their context.

    `tokens`: as of `amount_for`.
    """
    criteria = messages.criteria
    amount = amount_for(criteria.question, tokens)
    if not amount.with_replies:
        relevant = [hit for hit in relevant if not _is_reply(hit.passage)]
    best = add_context(relevant[: amount.messages], messages.ranked)
    scores = {key_of(hit.passage): hit.score for hit in best}
    return list_quotes(connection, user_id, scores, criteria.words, amount.chars)


def list_quotes(
    connection: PgConnection,
    user_id: UserId,
    scores: Mapping[MessageKey, float],
    words: Mapping[str, float],
    chars: int = FEW_WHOLE.chars,
) -> list[Quote]:
    """Quotes, best first, without repeats. Long texts are cut to where most of `words` stand.

    Those of equal score stay in the order of `scores`.
    """
    quotes = passages.list_quotes(connection, user_id, scores, MAX_QUOTED_CHARS)
    best_first = sorted(quotes, key=lambda quote: -quote.score)
    return [shorten(quote, words, chars) for quote in drop_repeats(best_first)]


def _is_reply(passage: Passage) -> bool:
    """Whether the assistant said it. In imported talks of people both sides have names."""
    return passage.role == "assistant" and passage.name is None
