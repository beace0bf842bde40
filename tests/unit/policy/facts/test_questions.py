"""Questions that teach nothing of whoever asks."""

from __future__ import annotations

import pytest

from shared.policy.facts.questions import only_asks


@pytest.mark.parametrize(
    "text",
    [
        "What is the capital of Australia?",
        "How many minutes does a soft-boiled egg take?",
        "Who wrote Hamlet? Why did Ophelia die?",
        "Is a tomato a fruit?",
        "Are there bears in Norway?",
        "Ist eine Tomate eine Frucht?",
        "Est-ce que la tomate est un fruit ?",
        "Wer schrieb den Faust?",
        "Wie lange kocht ein Ei？",
    ],
)
def test_a_question_about_the_world_is_one(text: str) -> None:
    assert only_asks(text)


@pytest.mark.parametrize(
    "text",
    [
        "I'm Anna, who are you?",
        "What can I eat as a vegan?",
        "How do I cook for my daughter Mia?",
        "Did you know that I live in Rome?",
        "Can you call me Max from now on?",
        "Kannst du immer auf Deutsch antworten?",
        "Could you always answer in German?",
        "Will you keep your answers short?",
        "Would you call me Max?",
        "Is it true that we live in Rome?",
        "Are you able to call me Max?",
        "Ist das mein Hund?",
        "Is a tomato a fruit? Mine is green.",
        "Was kocht man mir als Veganerin?",
        "Who wrote Hamlet? I study English.",
        "What is a cello? We have one.",
        "¿Qué puedo comer siendo celíaca?",
        "O que posso comer sendo celíaca?",
        "Jmenuji se Jan, a kde bydlíš ty?",
        "What is the capital of Norway",
        "Why?\nHome: Rome",
        "What is this? " + "and that? " * 50,
        "",
    ],
)
def test_what_may_say_something_is_none(text: str) -> None:
    assert not only_asks(text)
