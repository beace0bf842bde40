"""Messages in order: each part of the score moves it as it should."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.embeddings.token_signs import signs_of
from shared.models import ConversationId, Passage, Signs, Speaker
from shared.policy.ranking.passages import Criteria, Ranked, add_context, rank_passages
from shared.policy.ranking.question import Question
from tests.asking import read

PLAIN = read("Which film was it?")


def passage(sequence: int, **fields: object) -> Passage:
    plain = Passage(
        conversation_id=ConversationId("c"),
        sequence_number=sequence * 10,
        role="user",
        name=None,
        said_at=datetime(2023, 5, 8, tzinfo=UTC),
        similarity=0.3,
        token_signs=None,
        matched=frozenset(),
        length=20,
        is_question=False,
        is_standing=False,
        has_number=False,
    )
    return plain._replace(**fields)  # type: ignore[arg-type]


def rank(
    passages: Sequence[Passage],
    words: Mapping[str, float] = {},
    question: Question = PLAIN,
    tokens: Signs | None = None,
) -> list[Ranked]:
    criteria = Criteria(question=question, words=words, token_signs=tokens)
    return rank_passages(passages, criteria)


def best(*passages: Passage, question: Question = PLAIN, words: Mapping[str, float] = {}) -> Any:
    return rank(passages, words, question)[0].passage


def test_the_nearest_comes_first() -> None:
    near = passage(1, similarity=0.8)
    assert best(passage(0), near, passage(2, similarity=None)) == near


def test_what_holds_a_rare_word_comes_before_what_holds_a_common_one() -> None:
    rare = passage(1, matched=frozenset({"zeppelin"}))
    common = passage(0, matched=frozenset({"film"}))
    assert best(common, rare, words={"zeppelin": 5.0, "film": 0.5}) == rare


def test_half_of_the_words_count_less_than_half() -> None:
    ranked = rank(
        [
            passage(0, matched=frozenset({"zeppelin", "film"})),
            passage(1, matched=frozenset({"film"})),
            passage(2),
        ],
        words={"zeppelin": 1.0, "film": 1.0},
    )
    both, half, neither = (hit.score for hit in ranked)
    assert 0 < half - neither < (both - neither) / 2


def test_without_any_vector_the_words_decide() -> None:
    holds = passage(1, similarity=None, matched=frozenset({"film"}))
    assert best(passage(0, similarity=None), holds, words={"film": 1.0}) == holds


def test_who_is_asked_about_comes_first() -> None:
    question = read("What did Ada see?", speakers=[Speaker(name="Ada", role="user")])
    ada = passage(1, name="Ada")
    assert best(passage(0, name="Bob"), ada, question=question) == ada


def test_what_the_user_said_comes_first_where_the_user_is_named() -> None:
    question = read("What did Ada see?", "Ada")
    theirs, reply = passage(1), passage(0, role="assistant")
    assert best(reply, theirs, passage(2, name="Bob"), question=question) == theirs


def test_what_was_said_at_the_time_that_is_asked_about_comes_first() -> None:
    question = read("What was it on 7 June 2023?")
    then = passage(1, said_at=datetime(2023, 6, 8, tzinfo=UTC))
    assert best(passage(0), then, question=question) == then


def test_a_day_that_is_named_is_a_day_of_the_users_clock() -> None:
    question = read("Where was I yesterday?")
    late = passage(0, said_at=datetime(2024, 4, 9, 23, 30, tzinfo=UTC))  # the 10th in Athens
    early = passage(1, said_at=datetime(2024, 4, 8, 22, 30, tzinfo=UTC))  # the 9th in Athens
    assert best(late, early, question=question) == late
    assert best(late, early, question=replace(question, zone=ZoneInfo("Europe/Athens"))) == early


def test_what_only_asks_comes_last() -> None:
    asks, tells = passage(0, is_question=True, length=8), passage(1, is_question=True)
    assert rank([asks, passage(2), tells])[-1].passage == asks


def test_a_reply_comes_after_what_the_user_said_unless_it_is_asked_for() -> None:
    reply, statement = passage(0, role="assistant"), passage(1, role="user")
    assert best(reply, statement, question=read("Which film was it?")) == statement
    assert best(reply, statement, question=read("Which film would you recommend?")) == statement
    assert best(reply, statement, question=read("Which film did you recommend?")) == reply


def test_people_who_are_called_by_name_count_alike_if_nobody_is_asked_about() -> None:
    ada, bob = passage(0, role="assistant", name="Ada"), passage(1, role="user", name="Bob")
    [first, second] = rank([ada, bob])
    assert first.score == second.score


def test_what_holds_for_good_comes_first_where_it_fits() -> None:
    holds = passage(1, is_standing=True, similarity=0.5)
    other = passage(3, is_standing=True, similarity=0.05)
    assert best(other, passage(0, similarity=0.6), holds) == holds
    assert rank([other, passage(0), holds])[-1].passage == other


def test_what_stands_beside_the_nearest_is_lifted() -> None:
    beside = passage(2, sequence_number=11)
    assert rank([passage(0), passage(1, similarity=0.9), beside])[1].passage == beside


def test_what_fits_word_by_word_comes_before_what_is_as_near_as_a_whole() -> None:
    question_signs = signs_of(np.array([[1.0] * 8, [1, -1] * 4]))
    fits = passage(1, token_signs=signs_of(np.array([[1, -1] * 4, [1.0] * 8])).tobytes())
    does_not = passage(0, token_signs=signs_of(np.array([[-1.0] * 8])).tobytes())
    ranked = rank([does_not, fits], tokens=question_signs)
    assert [hit.passage for hit in ranked] == [fits, does_not]


def test_what_is_not_embedded_with_tokens_yet_is_compared_as_a_whole() -> None:
    question_signs = signs_of(np.array([[1.0] * 8]))
    older = passage(1, similarity=0.8)
    newer = passage(0, token_signs=signs_of(np.array([[-1.0] * 8])).tobytes())
    ranked = rank([newer, older], tokens=question_signs)
    assert ranked[0].passage == older


def test_of_equals_the_one_in_the_conversation_that_fits_comes_first() -> None:
    here = passage(3, conversation_id=ConversationId("a"))
    best_here = passage(9, conversation_id=ConversationId("a"), similarity=0.9)
    there = passage(3, conversation_id=ConversationId("0"))
    ranked = [hit.passage for hit in rank([there, here, best_here])]
    assert ranked == [best_here, here, there]


def test_a_question_about_the_whole_time_is_answered_from_many_conversations() -> None:
    best_here = passage(1, conversation_id=ConversationId("a"), similarity=0.9)
    next_here = passage(5, conversation_id=ConversationId("a"), similarity=0.8)
    there = passage(3, conversation_id=ConversationId("0"), similarity=0.7)
    passages = [there, next_here, best_here]
    whole = read("In which order did I see these films?")
    assert [hit.passage for hit in rank(passages)] == [best_here, next_here, there]
    assert [hit.passage for hit in rank(passages, question=whole)] == [best_here, there, next_here]


@pytest.mark.parametrize(
    ("question", "expected_words"),
    [
        ("When did I move?", "yesterday"),
        ("How long have I had the dog?", "years since two"),
        ("How many cats do I have?", "three"),
        ("What did I say when it rained?", ""),
    ],
)
def test_a_time_or_a_number_is_looked_for_where_it_is_asked_for(
    question: str, expected_words: str
) -> None:
    words = read(question).expected_words.split()
    assert bool(words) == bool(expected_words)
    assert not words or {"year" if w == "years" else w for w in expected_words.split()} <= set(
        words
    )


def test_what_holds_the_time_that_is_asked_for_comes_first() -> None:
    assert best(passage(0), passage(1, has_number=True)) == passage(1, has_number=True)


@given(
    st.lists(
        st.builds(
            passage,
            st.integers(0, 50),
            similarity=st.none() | st.floats(-1, 1),
            matched=st.frozensets(st.sampled_from(["a", "b"])),
            length=st.integers(0, 500),
        ),
        unique_by=lambda message: message.sequence_number,
    )
)
def test_every_passage_is_ranked_once_in_falling_order(passages: Any) -> None:
    ranked = rank(passages, {"a": 1.0, "b": 2.0})
    assert {hit.passage for hit in ranked} == set(passages)
    assert len(ranked) == len(passages)
    assert [hit.score for hit in ranked] == sorted((hit.score for hit in ranked), reverse=True)


def test_a_bare_yes_brings_what_came_before_it() -> None:
    ranked = rank([passage(1, length=1), passage(0, sequence_number=9)])
    bare = [hit for hit in ranked if hit.passage.length == 1]
    assert [hit.passage.sequence_number for hit in add_context(bare, ranked)] == [10, 9]


def test_a_message_that_says_something_stands_alone() -> None:
    ranked = rank([passage(1), passage(0, sequence_number=9)])
    assert add_context(ranked[:1], ranked) == ranked[:1]
