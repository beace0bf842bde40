"""What a word that nothing says was meant to be, among words that were said.

Whole words are compared, not their stems: with one letter wrong another ending is cut off, or none
("organisaton" stays as it is, "organisation" becomes "organis").
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

from rapidfuzz.distance import OSA

from shared.policy.ranking.whole_words import find_whole, replace_whole

SHORTEST, LONGEST = 4, 32  # letters; shorter words have too many neighbours
LONG = 8  # and from here on a word with two errors still resembles no other
# What is searched in pairs of letters: Thai, Lao, Burmese, Khmer, kana, Chinese, Korean.
UNSPACED = re.compile(
    r"[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u2FDF\u3005-\u3007\u3041-\u312F"
    r"\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF66-\uFF9F\U00020000-\U0003FFFF]"
)
# Letters alone; an s may follow an apostrophe, but "doesn't" is not "doesn".
WORD = re.compile(rf"(?<!\w)(?<!\w['’])[^\W\d_]{{{SHORTEST},{LONGEST}}}(?!\w)(?!['’](?!s\b)\w)")
PAGE = 128  # letters of one script stand together in Unicode
LATIN_PAGES = range(3)


def list_correctable(text: str) -> list[str]:
    """Its words that other words resemble by their letters, in lower case, each once."""
    words = dict.fromkeys(match[0].lower() for match in find_whole(WORD, text))
    return [word for word in words if not UNSPACED.search(word)]


def list_variants(word: str) -> list[str]:
    """All that is one error away: a letter too few, too many or wrong, or two swapped.

    The first letter stays, or changes places with the second: it is seldom wrong.
    """
    variants = dict.fromkeys(_variants(word, _letters_like(word)))
    variants.pop(word, None)
    return [other for other in variants if _begins_alike(word, other)]


def errors_allowed(word: str) -> int:
    return 2 if len(word) >= LONG else 1


def choose_meant(word: str, said: Mapping[str, int]) -> str | None:
    """The nearest of the words, of those equally near what was `said` most often."""
    most = errors_allowed(word)
    errors = {
        other: OSA.distance(word, other, score_cutoff=most)  # at most one more than that
        for other in said
        if _begins_alike(word, other)
    }
    near = [other for other in errors if 0 < errors[other] <= most]
    return min(near, key=lambda other: (errors[other], -said[other], other), default=None)


def replace_words(text: str, meant: Mapping[str, str]) -> str:
    """`meant` is in lower case; what begins with a capital goes on doing so."""

    def replaced(match: re.Match[str]) -> str:
        word = match[0]
        other = meant.get(word.lower(), word)
        return other[0].upper() + other[1:] if word[0].isupper() else other

    return replace_whole(WORD, text, replaced) if meant else text


def _begins_alike(word: str, other: str) -> bool:
    return other[0] == word[0] or other[:2] == word[1::-1]


def _variants(word: str, letters: str) -> Iterator[str]:
    for at in range(len(word) + 1):
        before, after = word[:at], word[at:]
        yield from (before + letter + after for letter in letters)
        if after:
            yield before + after[1:]
            yield before + after[1:2] + after[0] + after[2:]
            others = letters + ACCENTED.get(after[0], "")
            yield from (before + letter + after[1:] for letter in others)


def _letters_like(word: str) -> str:
    """The alphabet that the word is written in: of Latin a to z, of others all that is near."""
    pages = {ord(letter) // PAGE for letter in word}
    if pages <= set(LATIN_PAGES):
        pages = {0}
    numbers = (PAGE * page + n for page in sorted(pages) for n in range(PAGE))
    letters = (chr(number) for number in numbers)
    return "".join(one for one in letters if one.isalpha() and one == one.lower())


def _accented() -> dict[str, str]:
    """For each Latin letter the same with an accent."""
    found: dict[str, str] = {}
    for number in range(PAGE, PAGE * LATIN_PAGES.stop):
        letter = chr(number)
        plain = unicodedata.normalize("NFD", letter)[0]
        if plain != letter and letter.islower():
            found[plain] = found.get(plain, "") + letter
    return found


ACCENTED = _accented()
