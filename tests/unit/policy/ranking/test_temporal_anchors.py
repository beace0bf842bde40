"""Temporal anchors: events that a question counts from."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from shared.models import ConversationId, Passage
from shared.policy.ranking.passages import Criteria, rank_passages
from shared.policy.ranking.temporal_anchors import date_anchor, read_anchor
from tests.asking import read

MOVED = {"move": 2.0, "ghent": 3.0}


def passage(sequence: int, day: int, *matched: str, is_question: bool = False) -> Passage:
    return Passage(
        conversation_id=ConversationId("c"),
        sequence_number=sequence * 10,
        role="user",
        name=None,
        said_at=datetime(2026, 5, day, tzinfo=UTC),
        similarity=0.3,
        token_signs=None,
        matched=frozenset(matched),
        length=20,
        is_question=is_question,
        is_standing=False,
        has_number=False,
    )


@pytest.mark.parametrize(
    ("question", "side", "text"),
    [
        ("What did I do before I moved to Ghent?", "earlier", "I moved to Ghent"),
        ("Where have I been since my sister left, and why?", "later", "my sister left"),
        ("After we got the dog, what broke?", "later", "we got the dog"),
        ("What was I reading until I’ve found Proust?", "earlier", "I’ve found Proust"),
        ("What did I eat on the day I saw Dr Liu?", "same day", "I saw Dr Liu"),
        ("On the evening that we booked the trip, who cooked?", "same day", "we booked the trip"),
    ],
)
def test_an_anchor_is_read_with_the_side_that_is_asked_about(
    question: str, side: str, text: str
) -> None:
    anchor = read_anchor(question)
    assert anchor is not None
    assert (anchor.side, anchor.text) == (side, text)


@pytest.mark.parametrize(
    "question",
    [
        "What happened before?",
        "What was it after June?",
        "Since?",
        "When did I move to Ghent?",
        "What broke when my sister came?",
        "Did I eat on the day?",
    ],
)
def test_a_question_without_an_anchor_has_none(question: str) -> None:
    assert read_anchor(question) is None


def test_an_anchor_of_one_who_speaks_here_is_read_as_they_would_say_it() -> None:
    question = read("What did Ada do before Ada moved?", "Ada")
    assert question.anchor is not None
    assert question.anchor.text == "I moved"


def test_it_was_when_the_message_was_said_that_tells_most_of_it_the_earliest_of_equals() -> None:
    statement = passage(1, 8, "move", "ghent")
    looking_back = passage(2, 20, "move", "ghent")
    assert (
        date_anchor([passage(0, 2, "ghent"), looking_back, statement], MOVED) == statement.said_at
    )


def test_who_only_asks_tells_nothing_and_half_an_anchor_is_none() -> None:
    question = passage(0, 2, "move", "ghent", is_question=True)
    assert date_anchor([question, passage(1, 8, "move")], MOVED) is None
    assert date_anchor([], {}) is None


@pytest.mark.parametrize(("word", "first"), [("before", 4), ("after", 12), ("on the day", 8)])
def test_what_was_said_on_the_asked_side_comes_before_what_was_said_on_the_other(
    word: str, first: int
) -> None:
    question = read(f"Who cooked {word} I moved to Ghent?")
    cooks = [passage(number, day, "cook") for number, day in enumerate((4, 8, 12))]
    cooks.append(passage(9, 8, "move", "ghent"))
    words = {**MOVED, "cook": 4.0}
    ranked = rank_passages(cooks, Criteria(question=question, words=words, anchor_words=MOVED))
    days = [hit.passage.said_at.day for hit in ranked if "cook" in hit.passage.matched]
    assert days[0] == first
