from __future__ import annotations

import json
from pathlib import Path

import pytest

from shared.offline.replies import canned
from shared.offline.replies.canned import ABOUT_ITSELF, NEEDS_MODEL, NOTHING_KNOWN, UNKNOWN
from tests.unit.offline.replies.asking import reply
from web.views.page import HELPER_EXAMPLES

TEXTS = Path(__file__).parents[4] / "web/static/texts/en.json"


@pytest.mark.parametrize(
    "question",
    [
        "What can you do?",
        "hi, what can you do",
        "who are you",
        "help",
        "Can you help me?",
        "are you an AI?",
        "Are you ChatGPT?",
        "which model are you",
        "What is this?",
        "what is this site?",
        "How does this work?",
        "what can I ask you?",
        "What is your name?",
        "How old are you?",
        "Do you speak German?",
        "Can you swim?",
        "can you remember things?",
        "I have a question",
        "I don't understand",
        "Tell me about yourself.",
        "How do I set a real model?",
        "?",
    ],
)
def test_asked_about_itself_it_says_what_it_is_and_what_it_can(
    question: str,
) -> None:
    assert reply(question) == ABOUT_ITSELF


def test_what_it_says_of_itself_is_no_boast_and_names_no_file() -> None:
    assert "not a language model" in ABOUT_ITSELF
    assert "cannot" in ABOUT_ITSELF
    assert "I can only repeat what you told me." in NEEDS_MODEL
    assert "I can only repeat what you told me." in UNKNOWN
    texts = " ".join(text for text in vars(canned).values() if isinstance(text, str))
    assert not any(name in texts for name in (".env", "LLM_MODEL", "README"))


def test_the_examples_of_an_empty_page_are_answered_well() -> None:
    texts = json.loads(TEXTS.read_text())
    replies = [reply(texts[f"welcome.example.{name}"], system="") for name in HELPER_EXAMPLES]
    assert replies == ["Noted. You are allergic to peanuts.", NOTHING_KNOWN, ABOUT_ITSELF]


@pytest.mark.parametrize(
    "request_",
    [
        "Write a function that reverses a string.",
        "Could you please write me a poem?",
        'please translate "good morning" into French',
        "explain quantum physics",
        "Summarise this text: The fox jumps over the dog.",
        "What is 12 * 7?",
        "what's 17+4",
        "Tell me a joke",
        "Show me an example",
        "I would like a recipe for soup",
        "tell me a story about my dog",
        "Give me three ideas for a party.",
        "How do I bake bread?",
        "What should I cook tonight?",
        "I need help with my tax return.",
        "I want you to act as a pirate",
        "Code review please: ```def f(x): return x```",
    ],
)
def test_a_request_for_a_model_is_told_that_it_needs_one(request_: str) -> None:
    assert reply(request_) == NEEDS_MODEL


@pytest.mark.parametrize(
    "question", ["Who wrote Hamlet?", "why is the sky blue", "How many people live in Rotterdam?"]
)
def test_general_knowledge_is_said_to_need_a_model_after_memory_was_searched(question: str) -> None:
    assert reply(question) == UNKNOWN
