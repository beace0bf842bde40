"""Quotes: the texts of found messages, as a prompt shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shared.db import PgConnection
from shared.models import MessageKey, Quote, UserId
from shared.policy.quoting import drop_repeats, shorten
from shared.store.search import passages

MAX_QUOTES = 40  # before the budget cuts some of them
MAX_QUOTED_CHARS = 20_000  # so much of a message is searched for the question's words


def list_quotes(
    connection: PgConnection,
    user_id: UserId,
    scores: Mapping[MessageKey, float],
    words: Sequence[str],
) -> list[Quote]:
    """Quotes, best first, without repeats. Long texts are cut around the first of `words`."""
    found = passages.list_quotes(connection, user_id, scores, MAX_QUOTED_CHARS)
    best_first = sorted(found, key=lambda one: -one.score)
    return [shorten(one, words) for one in drop_repeats(best_first)]
