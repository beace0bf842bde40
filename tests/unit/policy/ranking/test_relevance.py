"""Questions about what was never said are refused; first questions of a small memory are not."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from shared.embeddings.token_signs import signs_of
from shared.models import Calibration, ConversationId, Passage
from shared.policy.ranking.passages import Criteria, Ranked
from shared.policy.ranking.relevance import choose_relevant, confidence, is_anything_relevant
from tests.asking import read

SCALE = Calibration(
    unrelated=0.1, spread=0.05, related=0.4, unrelated_tokens=0.1, related_tokens=0.3
)
UNTRUSTED = Calibration(unrelated=0.6, spread=0.06, related=0.62)
FILM = {"film": 2.0}


def ranked(
    similarity: float | None, *matched: str, signs: bytes | None = None, others: int = 99
) -> list[Ranked]:
    """The best message, and others that have nothing to do with the question."""
    best = Passage(
        conversation_id=ConversationId("c"),
        sequence_number=0,
        role="user",
        name=None,
        said_at=datetime(2024, 4, 9, tzinfo=UTC),
        similarity=similarity,
        token_signs=signs,
        matched=frozenset(matched),
        length=20,
        is_question=False,
        is_standing=False,
        has_number=False,
    )
    unlike = best._replace(
        similarity=None if similarity is None else 0.0,
        matched=(),
        token_signs=None,
        said_at=datetime(2020, 1, 1, tzinfo=UTC),
    )
    return [Ranked(best, 1.0), *(Ranked(unlike, 0.0) for _ in range(others))]


def criteria(text: str = "Which film was it?", **fields: object) -> Criteria:
    return Criteria(question=read(text), words=FILM, calibration=SCALE, **fields)  # type: ignore[arg-type]


def test_nothing_found_has_no_confidence() -> None:
    assert confidence([], criteria()) == 0


def test_a_typical_answer_is_relevant_without_any_of_the_words() -> None:
    assert confidence(ranked(0.4), criteria()) == 1.0
    assert is_anything_relevant(ranked(0.4), criteria())


def test_an_unrelated_message_is_refused() -> None:
    assert not is_anything_relevant(ranked(0.15), criteria())
    assert choose_relevant(ranked(0.15), criteria()) == []


def test_words_help_a_message_that_is_somewhat_similar() -> None:
    assert not is_anything_relevant(ranked(0.25), criteria())
    assert is_anything_relevant(ranked(0.25, "film"), criteria())


def test_the_first_questions_of_a_new_user_are_not_refused() -> None:
    """Of many messages one resembles any question by chance; of few none does."""
    assert is_anything_relevant(ranked(0.15, others=0), criteria())
    assert is_anything_relevant(ranked(0.22, others=4), criteria())
    assert not is_anything_relevant(ranked(0.22, others=99), criteria())
    assert not is_anything_relevant(ranked(0.15, others=4), criteria())


def test_words_that_were_never_said_speak_against_an_answer() -> None:
    """One common word of a question about something else is not enough."""
    assert not is_anything_relevant(ranked(0.25, "film"), criteria(unsaid_weight=8.0))


def test_tokens_count_as_much_as_the_whole_text() -> None:
    question_signs = signs_of(np.ones((2, 8)))
    alike, unlike = question_signs.tobytes(), signs_of(-np.ones((2, 8))).tobytes()
    assert confidence(ranked(0.4, signs=alike), criteria(token_signs=question_signs)) > 1
    assert confidence(ranked(0.4, signs=unlike), criteria(token_signs=question_signs)) < 0.5


def test_a_message_of_the_named_day_answers_whatever_its_words() -> None:
    assert is_anything_relevant(ranked(0.1), criteria("What did I tell you yesterday?"))
    assert not is_anything_relevant(ranked(0.1), criteria("What did I tell you on 3 May?"))


def test_a_named_month_helps_a_little() -> None:
    assert is_anything_relevant(ranked(0.26), criteria("Which film was it in April?"))
    assert not is_anything_relevant(ranked(0.15), criteria("Which film was it in April?"))
    assert not is_anything_relevant(ranked(0.26), criteria("Which film was it in May?"))


def test_the_first_time_is_never_refused() -> None:
    assert is_anything_relevant(ranked(0.1), criteria("What did we talk about the first time?"))


def test_where_the_model_cannot_be_trusted_any_shared_word_is_enough() -> None:
    film_criteria = Criteria(
        question=read("哪部电影？"), words=FILM, unsaid_weight=8.0, calibration=UNTRUSTED
    )
    assert is_anything_relevant(ranked(0.6, "film"), film_criteria)
    assert not is_anything_relevant(ranked(0.6), film_criteria)


def test_without_vectors_one_word_is_enough() -> None:
    assert is_anything_relevant(ranked(None, "film"), criteria(unsaid_weight=8.0))
    assert not is_anything_relevant(ranked(None), criteria())


def test_a_language_with_few_texts_is_measured_by_the_usual_rise() -> None:
    """Else its answers seem to stand out little, and any message looks like one."""
    chance = Calibration(unrelated=0.1, spread=0.05, related=0.2, usual_rise=0.3)
    assert chance.relevance(0.4) == pytest.approx(SCALE.relevance(0.4))
    chance = Calibration(unrelated_tokens=0.1, related_tokens=0.15, usual_rise_tokens=0.2)
    assert chance.token_relevance(0.3) == pytest.approx(SCALE.token_relevance(0.3))
