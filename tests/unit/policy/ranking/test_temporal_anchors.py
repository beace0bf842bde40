"""Times that are themselves a memory."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from shared.models import ConversationId, Passage
from shared.policy.ranking.passages import rank_passages
from shared.policy.ranking.question import read_question
from shared.policy.ranking.temporal_anchors import find_instant, read_landmark

MOVED = {"move": 2.0, "ghent": 3.0}


def passage(sequence: int, day: int, *held: str, asks: bool = False) -> Passage:
    return Passage(
        conversation_id=ConversationId("c"),
        sequence_number=sequence * 10,
        role="user",
        name=None,
        said_at=datetime(2026, 5, day, tzinfo=UTC),
        similarity=0.3,
        token_signs=None,
        held=frozenset(held),
        length=20,
        asks=asks,
        tells=False,
    )


@pytest.mark.parametrize(
    ("question", "side", "text"),
    [
        ("What did I do before I moved to Ghent?", "earlier", "I moved to Ghent"),
        ("Where have I been since my sister left, and why?", "later", "my sister left"),
        ("After we got the dog, what broke?", "later", "we got the dog"),
        ("What was I reading until I’ve found Proust?", "earlier", "I’ve found Proust"),
    ],
)
def test_a_landmark_is_read_with_the_side_that_is_asked_about(
    question: str, side: str, text: str
) -> None:
    landmark = read_landmark(question)
    assert landmark is not None
    assert (landmark.side, landmark.text) == (side, text)


@pytest.mark.parametrize("question", ["What happened before?", "What was it after June?", "Since?"])
def test_a_question_without_a_landmark_has_none(question: str) -> None:
    assert read_landmark(question) is None


def test_a_landmark_of_one_who_speaks_here_is_read_as_they_would_say_it() -> None:
    question = read_question("What did Ada do before Ada moved?", [], date(2026, 6, 1), ["Ada"])
    assert question.landmark is not None
    assert question.landmark.text == "I moved"


def test_it_was_when_the_message_was_said_that_tells_most_of_it_the_earliest_of_equals() -> None:
    told = passage(1, 8, "move", "ghent")
    looking_back = passage(2, 20, "move", "ghent")
    assert find_instant([passage(0, 2, "ghent"), looking_back, told], MOVED) == told.said_at


def test_who_only_asks_tells_nothing_and_half_a_landmark_is_none() -> None:
    asked = passage(0, 2, "move", "ghent", asks=True)
    assert find_instant([asked, passage(1, 8, "move")], MOVED) is None
    assert find_instant([], {}) is None


@pytest.mark.parametrize(("word", "first"), [("before", 4), ("after", 12)])
def test_what_was_said_on_the_asked_side_comes_before_what_was_said_on_the_other(
    word: str, first: int
) -> None:
    question = read_question(f"Who cooked {word} I moved to Ghent?", [], date(2026, 6, 1))
    cooks = [passage(0, 4, "cook"), passage(1, 8, "move", "ghent"), passage(2, 12, "cook")]
    ranked = rank_passages(cooks, question, {**MOVED, "cook": 4.0}, landmark_words=MOVED)
    days = [one.passage.said_at.day for one in ranked if "cook" in one.passage.held]
    assert days[0] == first
