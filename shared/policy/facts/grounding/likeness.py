"""Whether two words are forms of one word."""

from __future__ import annotations

# How many letters at the end may differ between two forms of a word.
LONGEST_ENDING = 4
SHORT_ENDING = 2  # for words of at most `SHORT` letters
SHORT = 3
STEM = 0.6  # the share of the longer word that both must have in common
COMPOUND = 5  # the fewest letters of a compound's first word ("Software" in "Softwareentwickler")
NAME_ENDINGS = ("s", "n", "en", "es", "ns")
HALF_LIKE = 0.5


def likeness(one: str, other: str, is_name: bool) -> float:
    """1 for two forms of one word, else 0. Both words are folded.

    `HALF_LIKE` for similar names that may be two people's: "Martin" and "Martina".
    """
    same = _common_prefix(one, other)
    short, long = sorted((one, other), key=len)
    is_latin_name = is_name and one.isascii()
    if same == len(short):
        ending = long[same:]
        if is_latin_name:
            return _name_likeness(ending)
        is_ending = len(ending) <= (LONGEST_ENDING if same > SHORT else SHORT_ENDING)
        begins_compound = short is one and same >= COMPOUND
        return 1.0 if is_ending or begins_compound else 0.0
    if same <= SHORT or len(long) - same > LONGEST_ENDING or same < STEM * len(long):
        return 0.0
    return HALF_LIKE if is_latin_name else 1.0


def _name_likeness(ending: str) -> float:
    """The likeness of two names, by the letters that the longer name adds."""
    if ending in NAME_ENDINGS:
        return 1.0
    return HALF_LIKE if len(ending) <= LONGEST_ENDING else 0.0


def _common_prefix(one: str, other: str) -> int:
    length = 0
    for first, second in zip(one, other, strict=False):
        if first != second:
            break
        length += 1
    return length
