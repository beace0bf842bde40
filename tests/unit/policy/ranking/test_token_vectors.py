"""Similarity of token vectors by their signs."""

from __future__ import annotations

import numpy as np
import pytest

from shared.embeddings.token_signs import signs_of
from shared.policy.ranking.token_vectors import MOST_ASKED, token_similarities

CHANCE = np.random.default_rng(5)


def draw(tokens: int, size: int = 384) -> np.ndarray:
    return CHANCE.normal(size=(tokens, size))


def bits(vectors: np.ndarray) -> bytes:
    return signs_of(vectors).tobytes()


def slowly(question: np.ndarray, text: np.ndarray) -> float:
    """By the definition: the mean over the question's tokens of the best similarity of each."""
    agreeing = np.sign(question) @ np.sign(text).T / question.shape[1]
    return float(agreeing.max(axis=1).mean())


@pytest.mark.parametrize("size", [384, 1024, 40])
def test_it_is_maxsim_over_signs(size: int) -> None:
    question, near, far = draw(7, size), draw(3, size), draw(200, size)
    similarities = token_similarities(signs_of(question), [bits(near), bits(far)])
    assert similarities == pytest.approx([slowly(question, near), slowly(question, far)])


def test_the_same_tokens_in_any_order_are_as_near_as_can_be() -> None:
    tokens = draw(9)
    assert token_similarities(signs_of(tokens[::-1]), [bits(tokens)]) == [1.0]
    assert token_similarities(signs_of(-tokens[:1]), [bits(tokens[:1])]) == [-1.0]


def test_what_has_no_tokens_is_not_compared() -> None:
    tokens = draw(2)
    nothing = np.zeros((0, 384))
    assert token_similarities(signs_of(tokens), [None, bits(tokens), b""]) == [None, 1.0, None]
    assert token_similarities(signs_of(nothing), [bits(tokens)]) == [None]
    assert token_similarities(signs_of(tokens), []) == []


def test_of_a_long_question_the_beginning_is_compared() -> None:
    question = draw(MOST_ASKED + 40)
    assert token_similarities(signs_of(question), [bits(question[:MOST_ASKED])]) == [1.0]
