"""Whether two words are forms of one word."""

from __future__ import annotations

import re

# How many letters at the end may differ between two forms of a word.
LONGEST_ENDING = 4
SHORT_ENDING = 2  # for words of at most `SHORT` letters
SHORT = 3
STEM = 0.6  # the share of the longer word that both must have in common
COMPOUND = 5  # the fewest letters of a compound's first word ("Software" in "Softwareentwickler")
NAME_ENDINGS = ("s", "n", "en", "es", "ns")
HALF_LIKE = 0.5
_AGGLUTINATED = re.compile(r"[\uac00-\ud7a3\u0590-\u06ff]")


def likeness(word: str, other: str, is_name: bool) -> float:
    """1 for two forms of one word, else 0. Both words are folded.

    `HALF_LIKE` for similar names that may be two people's: "Martin" and "Martina".
    """
    same = _common_prefix(word, other)
    short, long = sorted((word, other), key=len)
    is_latin_name = is_name and word.isascii()
    if same == len(short):
        ending = long[same:]
        if is_latin_name:
            return _name_likeness(ending)
        is_ending = len(ending) <= (LONGEST_ENDING if same > SHORT else SHORT_ENDING)
        begins_compound = short is word and same >= COMPOUND
        return 1.0 if is_ending or begins_compound else 0.0
    if same <= SHORT or len(long) - same > LONGEST_ENDING or same < STEM * len(long):
        return 0.0
    return HALF_LIKE if is_latin_name else 1.0


def _name_likeness(ending: str) -> float:
    """The likeness of two names, by the letters that the longer name adds."""
    if ending in NAME_ENDINGS:
        return 1.0
    return HALF_LIKE if len(ending) <= LONGEST_ENDING else 0.0


def _common_prefix(word: str, other: str) -> int:
    length = 0
    for first, second in zip(word, other, strict=False):
        if first != second:
            break
        length += 1
    return length


def is_inflection(word: str, form: str) -> bool:
    """Two forms of a name in a language with cases: Brno, Brně; Turku, Turussa; Львів, Львові."""
    same = _common_prefix(word, form)
    short, long = sorted((word, form), key=len)
    return (
        same >= SHORT
        and same >= STEM * len(short)
        and len(short) - same <= SHORT_ENDING
        and len(long) - same <= LONGEST_ENDING
    )


def is_agglutinated(word: str) -> bool:
    """Whether words of its script carry particles: Korean behind, Hebrew and Arabic before."""
    return bool(_AGGLUTINATED.match(word))


def holds_stem(word: str, form: str) -> bool:
    """Whether `form` is the word with particles: 부산에서 for 부산, בחיפה for חיפה."""
    if len(word) < SHORT_ENDING:
        return word == form
    start = form.find(word)
    if start < 0:
        return False
    is_korean = "\uac00" <= word[0] <= "\ud7a3"
    return start == 0 if is_korean else start <= SHORT_ENDING and len(form) - len(word) <= SHORT + 1
