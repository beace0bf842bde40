"""Search for what a question is about among a user's messages: what recall and the page share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from shared.db import PgConnection
from shared.models import Encoded, Place, UserId
from shared.policy.ranking.candidates import choose_best, windows_around
from shared.policy.ranking.passages import AROUND, Ranked, rank_passages
from shared.policy.ranking.question import Question, read_question
from shared.policy.ranking.words import choose_words, weigh_words
from shared.store.facts import versions as fact_versions
from shared.store.search import passages

NEAREST = 60  # candidates by meaning
HOLDING = 60  # and by words
LOOKED_AT = 50  # of these, with what stands beside them
BEST = 10  # of these, as far as it counts; beside the others one message less to either side
# How many messages with a word are counted, and how many with the rarest words are read: what
# bounds the work for somebody who has said a common word ten thousand times.
MOST_COUNTED = 2000
MOST_READ = 500

Encode = Callable[[str], Encoded | None]


@dataclass(frozen=True, kw_only=True)
class Recollection:
    """Messages best first; `words` are the question's, with their weights."""

    question: Question
    words: Mapping[str, float]
    ranked: tuple[Ranked, ...]


def read_asked(
    connection: PgConnection, user_id: UserId, text: str, asked_at: datetime
) -> Question:
    """`asked_at` is by the user's clock, which tells what "yesterday" means."""
    speakers = passages.list_speakers(connection, user_id)
    known = fact_versions.list_facts(
        connection, user_id, category="identity", with_history=False, as_of=None
    )
    own = [fact.value for fact in known if fact.key == "name"]
    question = read_question(text, speakers, asked_at.date(), own)
    return replace(question, zone=asked_at.tzinfo or UTC)


def recollect(
    connection: PgConnection,
    user_id: UserId,
    question: Question,
    encoded: Encoded | None,
    embedding_model: str,
    *,
    is_said: bool,
    corrected_words: Collection[str] = (),
    as_of: datetime | None = None,
) -> Recollection:
    """Without `encoded` by words alone. `is_said`: the question is a message itself by now, which
    holds its words but for the `corrected_words`.

    With `as_of` only what had been said by then.
    """
    passages.prepare_search(connection)
    found, total = passages.count_holding(connection, user_id, question.for_words, MOST_COUNTED)
    counts = {
        word: max(0, count - (is_said and word not in corrected_words))
        for word, count in found.items()
    }
    words = weigh_words(counts, total)
    holding = _holding(connection, user_id, counts, words, as_of)
    near = (
        {}
        if encoded is None
        else passages.list_nearest(
            connection, user_id, encoded.vector, embedding_model, NEAREST, as_of=as_of
        )
    )
    best = choose_best(near, holding, LOOKED_AT)
    landmark = passages.read_words(connection, question.landmark.text) if question.landmark else ()
    candidates = passages.list_passages(
        connection,
        user_id,
        windows_around(best, AROUND - 1, wider=best[:BEST]),
        closely=best,
        words=list(words),
        answered_with=question.answered_with,
        vector=encoded.vector if encoded else None,
        embedding_model=embedding_model,
        as_of=as_of,
    )
    ranked = rank_passages(
        candidates,
        question,
        words,
        landmark_words=landmark,
        asked_tokens=encoded.token_signs if encoded else None,
    )
    return Recollection(question=question, words=words, ranked=tuple(ranked))


def _holding(
    connection: PgConnection,
    user_id: UserId,
    counts: Mapping[str, int],
    words: Mapping[str, float],
    as_of: datetime | None,
) -> dict[Place, float]:
    chosen = {word: words[word] for word in choose_words(counts, MOST_READ)}
    if not chosen:
        return {}
    return passages.list_holding(
        connection, user_id, chosen, read=MOST_READ, limit=HOLDING, as_of=as_of
    )
