"""Search for what a question is about among a user's messages: what recall and the page share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, TypeAlias

from shared.db import PgConnection
from shared.models import Passage, Place, UserId
from shared.policy.ranking.passages import AROUND, Ranked, rank_passages
from shared.policy.ranking.question import Question, read_question
from shared.policy.ranking.words import choose_words, weigh_words
from shared.store import passages

if TYPE_CHECKING:
    import numpy as np

NEAREST = 100  # candidates by meaning
HOLDING = 100  # and by words
# How many messages with a word are counted, and how many with any are read: what bounds the
# work for somebody who has said a common word ten thousand times.
MOST_COUNTED = 2000

Vector: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"
Encode = Callable[[str], "Vector | None"]


@dataclass(frozen=True, kw_only=True)
class Recollection:
    """Messages best first; `vector` is the question's, `words` are its words' weights."""

    question: Question
    vector: Vector | None
    words: Mapping[str, float]
    ranked: tuple[Ranked, ...]


def read_asked(connection: PgConnection, user_id: UserId, text: str, today: date) -> Question:
    return read_question(text, passages.list_speakers(connection, user_id), today)


def recollect(
    connection: PgConnection,
    user_id: UserId,
    question: Question,
    vector: Vector | None,
    embedding_model: str,
    *,
    is_said: bool,
) -> Recollection:
    """Without a `vector` by words alone. `is_said`: the question is a message itself by now."""
    passages.prepare_search(connection)
    found = passages.count_holding(connection, user_id, question.for_words, MOST_COUNTED)
    counts = {word: count - is_said for word, count in found.items()}
    words = weigh_words(counts, passages.count_messages(connection, user_id))
    places = _places_by_words(connection, user_id, counts, words)
    if vector is not None:
        places |= set(passages.list_nearest(connection, user_id, vector, embedding_model, NEAREST))
    candidates = _passages(
        connection,
        user_id,
        places=places,
        words=words,
        vector=vector,
        embedding_model=embedding_model,
    )
    return Recollection(
        question=question,
        vector=vector,
        words=words,
        ranked=tuple(rank_passages(candidates, question, words)),
    )


def _places_by_words(
    connection: PgConnection,
    user_id: UserId,
    counts: Mapping[str, int],
    words: Mapping[str, float],
) -> set[Place]:
    chosen = {word: words[word] for word in choose_words(counts, MOST_COUNTED)}
    if not chosen:
        return set()
    return set(passages.list_holding(connection, user_id, chosen, read=MOST_COUNTED, limit=HOLDING))


def _passages(
    connection: PgConnection,
    user_id: UserId,
    *,
    places: set[Place],
    words: Mapping[str, float],
    vector: Vector | None,
    embedding_model: str,
) -> list[Passage]:
    if not places:
        return []
    return passages.list_passages(
        connection,
        user_id,
        sorted(places, key=lambda place: (place.conversation_id, place.sequence_number)),
        beside=AROUND,
        words=list(words),
        vector=vector,
        embedding_model=embedding_model,
    )
