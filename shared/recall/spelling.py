"""Typing errors: a word that nothing says, taken for one that the user's messages hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from shared.db import PgConnection, StatementTimeout, attempt
from shared.models import UserId
from shared.policy.ranking.question import Question
from shared.policy.ranking.spelling import (
    choose_meant,
    errors_allowed,
    list_correctable,
    list_variants,
    replace_words,
)
from shared.recall.messages import read_asked
from shared.store.search import hits, passages, spelling

MOST_WRONG = 4  # words; a text with more is in another language, or no question
CORRECTING_S = 1.5  # all that is looked up for one text; what takes longer stays as it is written

Knows = Callable[[str], bool]


@dataclass(frozen=True, kw_only=True)
class Corrected:
    """What is asked, with the words of `meant` (wrong: right, in lower case) put right.

    `words` are the right ones as the index has them. Not `in_time`: nobody knows what was meant.
    """

    question: Question
    text: str
    meant: Mapping[str, str]
    words: Sequence[str]
    in_time: bool = True


def read_corrected(
    connection: PgConnection,
    user_id: UserId,
    text: str,
    asked_at: datetime,
    knows: Knows,
    *,
    said_times: int = 0,
    is_search: bool = False,
    as_of: datetime | None = None,
    question: Question | None = None,
) -> Corrected:
    """`text` as it was meant, as far as can be told. `question` is what it asks as it is written.

    A word is left alone that `knows` tells to be one (the nearest to "shop" would be "show"), and
    that was said more than `said_times`. A search finds words within words, too, and may take the
    time to look for a word with two errors.
    """
    question = question or read_asked(connection, user_id, text, asked_at)
    as_written = Corrected(question=question, text=text, meant={}, words=())
    doubtful = [word for word in list_correctable(question.for_words) if not knows(word)]
    try:
        with attempt(connection, CORRECTING_S):
            unsaid = _list_unsaid(connection, user_id, doubtful, said_times, as_of)
            meant = _look_up(connection, user_id, unsaid, is_search, as_of)
    except StatementTimeout:
        return replace(as_written, in_time=False)
    if not meant:
        return as_written
    text = replace_words(text, meant)
    return Corrected(
        question=read_asked(connection, user_id, text, asked_at),
        text=text,
        meant=meant,
        words=passages.read_words(connection, " ".join(meant.values())),
    )


def _look_up(
    connection: PgConnection,
    user_id: UserId,
    unsaid: Sequence[str],
    is_search: bool,
    as_of: datetime | None,
) -> dict[str, str]:
    """What the words were meant to be. Looking for parts of words reads all that was said, so
    that the words are counted before."""
    if len(unsaid) > MOST_WRONG:
        return {}
    if is_search:
        unsaid = [one for one in unsaid if not _is_part(connection, user_id, one, as_of)]
    meant = {word: find_meant(connection, user_id, word, as_of) for word in unsaid}
    if is_search:
        meant |= _further_away(connection, user_id, [w for w in unsaid if not meant[w]], as_of)
    return {word: other for word, other in meant.items() if other is not None}


def _is_part(connection: PgConnection, user_id: UserId, word: str, as_of: datetime | None) -> bool:
    return bool(hits.search_by_parts(connection, user_id, [word], 1, as_of))


def _list_unsaid(
    connection: PgConnection,
    user_id: UserId,
    words: Sequence[str],
    said_times: int,
    as_of: datetime | None,
) -> list[str]:
    if not words:
        return []
    passages.prepare_search(connection)
    return spelling.list_unsaid(
        connection, user_id, words[: passages.MAX_WORDS], said_times=said_times, as_of=as_of
    )


def find_meant(
    connection: PgConnection, user_id: UserId, word: str, as_of: datetime | None
) -> str | None:
    """The word one error away that the user's messages hold (by `as_of`), None without one."""
    said = spelling.count_words_near(connection, user_id, word, list_variants(word), as_of=as_of)
    return choose_meant(word, said)


def _further_away(
    connection: PgConnection, user_id: UserId, words: Sequence[str], as_of: datetime | None
) -> dict[str, str | None]:
    """Of words that may have more than one error: found by reading what was said."""
    words = [word for word in words if errors_allowed(word) > 1]
    if not words:
        return {}
    said = spelling.count_words_like(connection, user_id, words, as_of=as_of)
    return {word: choose_meant(word, said) for word in words}
