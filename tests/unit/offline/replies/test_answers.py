from __future__ import annotations

from typing import Any

import pytest

from shared.offline.replies.canned import NOTHING_FOUND, NOTHING_KNOWN, UNKNOWN
from tests.unit.offline.replies.asking import MEMORY, reply


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is my name?", "Your name is Alexander."),
        ("do you remember what I am called", "Your name is Alexander."),
        ("Where do I live?", "You live in Rotterdam."),
        ("Which city is my home?", "You live in Rotterdam."),
        ("Do I like tea?", "You like tea."),
        ("What am I allergic to?", "You are allergic to nuts & seeds."),
        (
            "When is the trip to Oslo?",
            "From 2 November 2026: “We planned the trip to Oslo in March.”",
        ),
        ("What is my budget?", "Earlier: “My budget is 900 euros.”"),
    ],
)
def test_a_question_gets_the_remembered_sentence(question: str, answer: str) -> None:
    assert reply(question) == answer


def test_what_is_not_remembered_is_not_made_up() -> None:
    assert reply("What is the capital of Peru?") == UNKNOWN
    assert reply("What is my boat called?") == NOTHING_FOUND
    assert reply("What is my name?", system="You are helpful.") == NOTHING_FOUND
    assert reply("What do you know about me?", system="You are helpful.") == NOTHING_KNOWN


def test_all_facts_are_told_when_asked_for() -> None:
    assert reply("what do you remember?") == reply("Tell me something about me.")
    lines = reply("What do you know about me?").splitlines()

    assert "- Your name is Alexander." in lines
    assert "- You asked me never to use emojis." in lines
    assert len([line for line in lines if line.startswith("- ")]) == 5


def test_the_earlier_messages_of_the_conversation_are_remembered_too() -> None:
    earlier = ("The code word is marzipan.", "Noted.")

    assert reply("What was the code word?", *earlier) == "Earlier: “The code word is marzipan.”"
    assert reply("What did I just say?", *earlier) == "You said: “The code word is marzipan.”"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is my dog called?", NOTHING_FOUND),
        ("What is my sister's name?", NOTHING_FOUND),
        ("Where does my brother live?", NOTHING_FOUND),
        ("What is my favourite colour?", NOTHING_FOUND),
        ("What did I say about submarines?", NOTHING_FOUND),
        ("Where does Anna live?", UNKNOWN),
        ("dog name?", UNKNOWN),
        ("name?", "Your name is Alexander."),
        ("who is the president of the US", UNKNOWN),
        ("I want to know where I live", "You live in Rotterdam."),
        ("What do I like?", "You like tea."),
        ("Can I eat nuts?", "You are allergic to nuts & seeds."),
        ("tell me my name", "Your name is Alexander."),
        (
            "What is my name and where do I live?",
            "Your name is Alexander.\n\nYou live in Rotterdam.",
        ),
    ],
)
def test_a_fact_answers_only_what_it_is_about(question: str, answer: Any) -> None:
    assert reply(question) == answer


def test_all_that_fit_a_question_alike_are_told() -> None:
    further = "- The user's constraint (allergy): cats\n- The user's instruction"
    system = MEMORY.replace("- The user's instruction", further)

    assert reply("What am I allergic to?", system=system) == (
        "You are allergic to nuts & seeds. You are allergic to cats."
    )


@pytest.mark.parametrize(
    "now", ["Sunday, 22 November 2026, 14:31 UTC", "Sunday, 14:31 (Europe/Oslo)"]
)
def test_the_time_is_the_prompts(now: str) -> None:
    question = f"<context>\nNow it is {now}.\n</context>\n\nWhat day is it?"
    assert reply(question, system="Be kind.") == f"Now it is {now}."


def test_the_block_is_found_by_its_headings_whatever_stands_before_them() -> None:
    system = MEMORY.replace("What follows was remembered", "Notes, in short: remembered")

    assert reply("Where do I live?", system=system) == "You live in Rotterdam."


def test_the_same_prompt_gets_the_same_answer() -> None:
    assert len({reply("Where do I live and what do I like?") for _ in range(5)}) == 1
