"""Keeps numbers with what they count: "2 dogs and 3 cats" does not say "2 cats"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from shared.policy.facts.grounding.folding import Word, fold, read_words
from shared.policy.facts.grounding.indexed_text import IndexedText
from shared.policy.facts.grounding.likeness import likeness
from shared.policy.facts.grounding.numbers import (
    list_numbers,
    read_number_word,
    read_unspaced,
)
from shared.policy.facts.grounding.vocabulary import (
    AMBIGUOUS_NUMBERS,
    ANDS,
    FILLERS,
    NUMBERS,
    split_list,
)

REACH = 2  # words after a number that it may count: "3 old cats"
MIN_CHARS = 3
#: Right after a number they tell an age.
_AGE_UNITS = frozenset(
    map(
        fold,
        split_list(
            "years, year, yrs, jahre, jahr, ans, an, años, año, anni, anno, anos, ano, jaar, лет, "
            "года, год, років, роки, рік, lat, lata, let, roky, yaşında, yaşındayım, yaşımda, سنة, "
            "عاما, عام, سنوات, साल, 살, 세"
        ),
    )
)
_UNSPACED_AGE = re.compile(r"(?<!\d)(\d{1,3}|[一二三四五六七八九十百]{1,4})\s?(?:岁|歳|才|살)")
_AGE = re.compile(r"(?:^|_)age(?:_|$)")
_OF_TIME = re.compile(r"(?:^|_)(?:age|years|experience|since)(?:_|$)")
#: Of keys that count: `children_count`, `number_of_cats`.
_COUNT = re.compile(r"(?:^|_)(?:count|number_of|num|total)(?:_|$)")


def counts_another_thing(
    key: str, value: str, text: IndexedText, names: frozenset[str] = frozenset()
) -> bool:
    """Whether the text counts the noun of the key or value by another number than the value's.

    `names` are words of the text that mean the same as the key's noun: "Kinder".
    """
    numbers = _list_numbers(value)
    if len(numbers) != 1:
        return False
    counts = [number for number, _ in _list_counts_of(key, value, text, names)]
    return bool(counts) and numbers.isdisjoint(counts)


def is_age_or_count(key: str, value: str, text: IndexedText, names: frozenset[str]) -> bool:
    """Whether the number of an age counts something else, or that of a thing is an age."""
    numbers = _list_numbers(value)
    ages = set(_list_ages(text))
    if len(numbers) != 1:
        return False
    if _AGE.search(key):
        bare = ages or set(_list_bare(text.words))
        return bool(bare) and numbers.isdisjoint(bare)
    is_count = bool(_COUNT.search(key) or names) and not _OF_TIME.search(key)
    return is_count and bool(ages) and numbers <= ages


def _list_bare(words: Sequence[Word]) -> Iterator[str]:
    """The numbers that count nothing: 52 in "3 kids, ran 11 marathons and I'm 52"."""
    for index, word in enumerate(words):
        after = words[index + 1].text if index + 1 < len(words) else ""
        if (number := _number(word)) and (after in FILLERS | ANDS or not after):
            yield number


def _list_ages(text: IndexedText) -> Iterator[str]:
    """The numbers that tell an age: "45 ans", 27岁."""
    for word, unit in pairwise(text.words):
        if unit.text in _AGE_UNITS and (number := _number(word)):
            yield number
    for match in _UNSPACED_AGE.finditer(text.folded):
        yield match[1] if match[1].isdecimal() else next(map(str, read_unspaced(match[1])), "")


def may_count_another_thing(
    key: str, value: str, text: IndexedText, names: frozenset[str] = frozenset()
) -> bool:
    """Whether the text counts several things, and nothing tells which of them the key is about."""
    numbers = _list_numbers(value)
    if not _COUNT.search(key) or len(numbers) != 1:
        return False
    nouns = {noun for _, noun in _list_counts_of(key, value, text, names)}
    counts = {number for number, _ in _list_counts(text.words)}
    return len(nouns) != 1 and bool(counts - numbers)


def _list_counts_of(
    key: str, value: str, text: IndexedText, names: frozenset[str]
) -> list[tuple[str, str]]:
    nouns = [
        word.text
        for word in read_words(fold(f"{_counted(key)} {value}"))
        if not word.is_number and len(word.text) >= MIN_CHARS and not _number(word)
    ]
    counts = list(_list_counts(text.words))
    # "2 dogs and 3 cats": the noun itself tells more than a word for any pet.
    by_noun = [each for each in counts if _is_one_of(each[1], nouns)]
    by_name = (each for each in counts if each[1] in names)
    return by_noun or [*by_name, *_list_unspaced(text.folded, names)]


def _list_unspaced(folded: str, names: frozenset[str]) -> Iterator[tuple[str, str]]:
    """两个女儿 is two: the numeral, a measure word and the noun."""
    for name in names:
        start = folded.find(name)
        for char in reversed(folded[max(0, start - 2) : max(0, start)]):
            if char in NUMBERS:
                yield str(NUMBERS[char]), name
                break


def _list_numbers(value: str) -> set[str]:
    return {number for word in read_words(fold(value)) if (number := _number(word))}


def _counted(key: str) -> str:
    """The words of what a key counts: of `minutes_per_day` not the day."""
    return key.partition("_per_")[0].replace("_", " ")


def _list_counts(words: Sequence[Word]) -> Iterator[tuple[str, str]]:
    """Each number with the words that it may count: up to the next number."""
    for index, word in enumerate(words):
        number = _number(word)
        if not number:
            continue
        for noun in words[index + 1 : index + 1 + REACH]:
            if _number(noun):
                break
            yield number, noun.text
        for noun in reversed(words[max(0, index - REACH) : index]):  # "shoe size 38"
            if _number(noun) or noun.text in ANDS:  # "3 kids and 12 chickens"
                break
            yield number, noun.text


def _number(word: Word) -> str:
    """The number in digits, of 1,150 as of 1150; "" for another word.

    Turkish has "on" for ten, which is none in "my flight on Sunday".
    """
    if word.is_number:
        return min(next(list_numbers(word.text)), key=len)
    return "" if word.text in AMBIGUOUS_NUMBERS else read_number_word(word.text)


def _is_one_of(word: str, nouns: Sequence[str]) -> bool:
    return any(likeness(word, noun, is_name=False) == 1 for noun in nouns)
