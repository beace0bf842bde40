"""Typing correction: replaces words that the user never said by similar words from messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from shared.db import PgConnection, StatementTimeout, attempt
from shared.models import Query, SearchFilter
from shared.policy.facts.secret_patterns import SecretPattern
from shared.policy.facts.secrets import is_secret
from shared.policy.ranking.spelling import (
    choose_correction,
    errors_allowed,
    list_correctable,
    list_variants,
)
from shared.recall.query import Reading
from shared.store.search import candidates, hits, spelling

MOST_WRONG = 4  # words; a text with more unknown words is in another language, or no question
CORRECTING_S = 1.5  # for all words of a text; if it takes longer, nothing is corrected

IsKnown = Callable[[str], bool]


def correct_spelling(
    connection: PgConnection,
    reading: Reading,
    is_known: IsKnown,
    *,
    patterns: SecretPattern = None,
    is_thorough: bool = False,
) -> Reading:
    """Replace misspelt words in the reading, as far as possible.

    A word stays if the user said it, or if `is_known` (otherwise "shop" might become "show"). A
    thorough correction also keeps parts of words that were said. It corrects words with two
    errors, too, for which it reads messages. No word becomes a secret; `patterns`: the operator's.
    """
    doubtful = [word for word in list_correctable(reading.question.for_words) if not is_known(word)]
    try:
        with attempt(connection, CORRECTING_S):
            unsaid = _list_unsaid(connection, reading.query, doubtful)
            if is_thorough:
                corrections = _correct_thoroughly(connection, reading.query, unsaid)
            else:
                corrections = _correct_quickly(connection, reading.query, unsaid)
    except StatementTimeout:
        return replace(reading, is_complete=False)
    corrections = {
        word: other
        for word, other in corrections.items()
        if not is_secret("", other, other, patterns)
    }
    if not corrections:
        return reading
    lexemes = candidates.read_words(connection, " ".join(corrections.values()))
    return reading.with_corrections(corrections, lexemes)


def find_correction(connection: PgConnection, query: Query, word: str) -> str | None:
    """The most similar word in the user's messages with one error. None: there is no such word."""
    counts = spelling.count_words_near(connection, query, word, list_variants(word))
    return choose_correction(word, counts)


def _list_unsaid(connection: PgConnection, query: Query, words: Sequence[str]) -> list[str]:
    """The words that the user never said. Empty: none, or too many to correct in time."""
    if not words:
        return []
    candidates.prepare_search(connection)
    unsaid = spelling.list_unknown_words(connection, query, words[: candidates.MAX_WORDS])
    return unsaid if len(unsaid) <= MOST_WRONG else []


def _correct_quickly(
    connection: PgConnection, query: Query, words: Sequence[str]
) -> Mapping[str, str]:
    corrections = {word: find_correction(connection, query, word) for word in words}
    return {word: other for word, other in corrections.items() if other is not None}


def _correct_thoroughly(
    connection: PgConnection, query: Query, words: Sequence[str]
) -> Mapping[str, str]:
    anywhere = SearchFilter()
    wrong = [
        word
        for word in words
        if not hits.search_by_parts(connection, query.with_text(word), anywhere, 1)
    ]
    corrections = _correct_quickly(connection, query, wrong)
    rest = [word for word in wrong if word not in corrections and errors_allowed(word) > 1]
    if not rest:
        return corrections
    counts = spelling.count_words_like(connection, query, rest)
    further = {word: choose_correction(word, counts) for word in rest}
    return {**corrections, **{word: other for word, other in further.items() if other is not None}}
