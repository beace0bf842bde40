"""How much of a value stands in a message, in any language."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from shared.policy.facts.grounding.evidence import list_parts, measure_support
from shared.policy.facts.grounding.indexed_text import IndexedText
from shared.policy.folding import fold

SAID = date(2026, 11, 22)  # a Sunday

WHOLE = [
    ("Rex", "My dog is called Rex"),
    ("REX", "my dog is called rex"),
    ("Jose", "Me llamo José"),
    ("34", "I am thirty-four years old"),
    ("34", "Ich bin vierunddreißig"),
    ("34", "J'ai trente-quatre ans"),
    ("34", "我今年三十四岁"),
    ("two kids", "I have 2 kids"),
    ("2026-11-21", "we moved yesterday"),
    ("2026-11-20", "das war am Freitag"),
    ("2025", "we moved last year"),
    ("2024-11", "it was two years ago"),
    ("1990-05-03", "born on 3 May 1990"),
    ("3 May 1990", "born 3.5.1990"),
    ("2026-12-12", "the exam is on 12 December"),
    ("850 euros", "my rent is €850"),
    ("3000", "I earn 3,000 a month"),
    ("19:30", "the choir meets at 19:30"),
    ("Москва", "Я живу в Москве"),
    ("素食者", "我是素食者"),
    ("東京", "東京に住んでいます"),
    ("दिल्ली", "मैं दिल्ली में रहता हूँ"),
    ("القاهرة", "أعيش في القاهرة"),
    ("İstanbul", "İstanbul'da yaşıyorum"),
    ("likes jazz", "I adore jazz"),
    ("cats", "I have a cat"),
    ("vegetarian", "Ich bin Vegetarierin"),
    ("peanuts", "Soy alérgico a los cacahuetes"),
    ("German", "Antworte bitte auf Deutsch"),
    ("٣٤", "I am 34"),
    ("0170 1234567", "call 01701234567"),
]
PART = [
    ("software developer", "Ich bin Softwareentwickler"),
    ("Martina", "my friend Martin"),
]
NONE = [
    ("Rotterdam", "My dog is called Rex"),
    ("vegetarian", "I don't eat meat"),
    ("上海", "我住在北京"),
    ("35", "I am 34"),
    ("2026-11-10", "we moved yesterday"),
    ("2019", "we moved last year"),
    ("Lisbon, Portugal", "I live in Lisbon"),
    ("Anna Lovelace", "my friend Anna"),
    ("", "anything"),
    ("?!", "anything?!"),
]


@pytest.mark.parametrize(
    ("value", "text", "expected"),
    [
        *((*pair, "whole") for pair in WHOLE),
        *((*pair, "part") for pair in PART),
        *((*pair, "none") for pair in NONE),
    ],
)
def test_a_value_is_backed_by_what_was_said(value: str, text: str, expected: str) -> None:
    assert measure_support(value, IndexedText(text, SAID)) == expected


words = st.text(st.characters(categories=("Ll", "Lo")), min_size=1, max_size=12)


@given(st.lists(words, min_size=1, max_size=12), st.data())
def test_any_words_of_a_message_are_backed_by_it(
    message_words: list[str], data: st.DataObject
) -> None:
    chosen = data.draw(st.lists(st.sampled_from(message_words), min_size=1, max_size=4))
    value = " ".join(chosen)
    assume(list_parts(value))
    assert measure_support(value, IndexedText(" ".join(message_words), SAID)) == "whole"


@given(st.lists(words, min_size=1, max_size=8), words)
def test_a_word_that_shares_no_letter_with_a_message_is_not(
    message_words: list[str], value: str
) -> None:
    text = " ".join(message_words)
    assume(not set(fold(value)) & set(fold(text)))
    assert measure_support(value, IndexedText(text, SAID)) == "none"


@given(st.integers(2, 9999), st.integers(2, 9999))
def test_a_number_is_backed_by_the_same_number_alone(price: int, value: int) -> None:
    expected = "whole" if price == value else "none"
    assert (
        measure_support(str(value), IndexedText(f"it costs {price} all in all", SAID)) == expected
    )


@given(st.lists(st.text("abcdefgäöüñéжшд", min_size=1, max_size=8), min_size=1, max_size=8))
def test_case_makes_no_difference(message_words: list[str]) -> None:
    text = " ".join(message_words)
    assert measure_support(text, IndexedText(text.upper(), SAID)) == "whole"


@given(st.text(max_size=200), st.text(max_size=60))
def test_nothing_that_can_be_written_breaks_it(text: str, value: str) -> None:
    assert measure_support(value, IndexedText(text, SAID)) in ("whole", "part", "none")
