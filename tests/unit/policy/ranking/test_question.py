"""What a question asks for."""

from __future__ import annotations

import pytest

from shared.models import Speaker
from shared.policy.ranking.question import Names, Question, read_question
from tests.asking import make_query, read

SPEAKERS = [Speaker(name="Caroline", role="user"), Speaker(name="Will", role="assistant")]


def ask(text: str) -> Question:
    return read(text, speakers=SPEAKERS)


def test_who_is_asked_about_is_looked_for_as_they_would_have_said_it() -> None:
    question = ask("Where is Caroline's cat since Caroline moved?")
    assert question.for_meaning == "Where is my cat since I moved?"
    assert question.speaker == "Caroline"


def test_names_are_no_words_to_look_up() -> None:
    assert "Caroline" not in ask("Where is Caroline's cat?").for_words


def test_a_name_counts_as_it_is_written() -> None:
    assert ask("Where will I go?").speaker is None
    assert ask("Where did Will go?").speaker == "Will"


def test_an_account_in_small_letters_is_asked_for_with_a_capital() -> None:
    question = read("Where is Elise now?", speakers=[Speaker(name="elise", role="assistant")])
    assert (question.for_meaning, question.speaker) == ("Where is I now?", "elise")


def test_a_nickname_means_the_speaker() -> None:
    names = Names(speakers=SPEAKERS, nicknames={"Caro": "Caroline"})
    question = read_question(make_query("Where is Caro's cat since Caroline moved?"), names)
    assert question.for_meaning == "Where is my cat since I moved?"
    assert question.speaker == "Caroline"


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("In which order did I plant my trees? Name only three.",
         "In which order did I plant my trees?"),
        ("我按什么顺序种树？只说三个。", "我按什么顺序种树？"),
        ("Why? Summarise how my garden changed.", "Why? Summarise how my garden changed."),
        ("Where do I live? Name the town only.", "Where do I live? Name the town only."),
    ],
)  # fmt: skip
def test_how_to_answer_is_not_looked_for_with_the_whole_time(text: str, question: str) -> None:
    assert ask(text).for_meaning == question


def test_two_names_lift_neither() -> None:
    question = ask("How did Caroline meet Will?")
    assert (question.speaker, question.role) == (None, None)


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("Where do I live?", "user"),
        ("What was your advice?", "assistant"),
        ("What did you tell me?", "assistant"),
        ("What did we talk about?", None),
        ("Which film was it?", None),
    ],
)
def test_without_a_name_the_person_tells_whose_words_are_meant(text: str, role: str | None) -> None:
    assert ask(text).role == role


def test_a_name_inside_a_word_is_none() -> None:
    assert ask("Is Willow a tree?").speaker is None


def test_the_user_is_looked_for_by_their_own_name() -> None:
    question = read("Where does Grace live?", "Grace Hopper", speakers=SPEAKERS)
    assert question.for_meaning == "Where does I live?"
    assert (question.speaker, question.role) == ("Grace", "user")


def test_a_whole_name_is_one_name() -> None:
    question = read("Was Grace Hopper late?", "Grace Hopper")
    assert (question.for_meaning, question.speaker) == ("Was I late?", "Grace Hopper")


def test_a_name_of_spaces_names_nobody() -> None:
    assert read("Who was it?", " ").speaker is None
