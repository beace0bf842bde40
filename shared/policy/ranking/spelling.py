"""Replace a misspelt word by a similar word from the user's messages.

Whole words are compared, not stems: a stemmer may cut off another ending from a misspelt word, or
none ("organisation" becomes "organis", but "organisaton" stays as it is). Accents make no error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from rapidfuzz.distance import OSA

from shared.policy.folding import fold
from shared.policy.ranking.whole_words import find_whole, replace_whole

SHORTEST, LONGEST = 4, 32  # letters; shorter words are similar to too many others
LONG = 8  # letters; a long word can be recognised even with two errors
# Scripts indexed in pairs of letters: Thai, Lao, Burmese, Khmer, kana, Chinese, Korean.
UNSPACED = re.compile(
    r"[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2E80-\u2FDF\u3005-\u3007\u3041-\u312F"
    r"\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF66-\uFF9F\U00020000-\U0003FFFF]"
)
# Letters only; an 's may follow. "doesn't" is not read as "doesn".
WORD = re.compile(rf"(?<!\w)(?<!\w['’])[^\W\d_]{{{SHORTEST},{LONGEST}}}(?!\w)(?!['’](?!s\b)\w)")
PAGE = 128  # code points; the letters of a script lie on the same pages of Unicode
LATIN_PAGES = range(3)


def list_correctable(text: str) -> list[str]:
    """The words that typing correction can compare by their letters, folded, each once."""
    words = dict.fromkeys(fold(match[0]) for match in find_whole(WORD, text))
    return [word for word in words if not UNSPACED.search(word)]


def list_variants(word: str) -> list[str]:
    """All spellings with one error: a missing, extra or wrong letter, or two letters swapped.

    The first letter is seldom wrong. So it stays, or is swapped with the second.
    """
    variants = dict.fromkeys(_variants(word, _letters_like(word)))
    variants.pop(word, None)
    return [other for other in variants if _begins_alike(word, other)]


def errors_allowed(word: str) -> int:
    return 2 if len(word) >= LONG else 1


def choose_correction(word: str, counts: Mapping[str, int]) -> str | None:
    """The word that is most similar to `word`; if several tie, the most frequent.

    `counts` says how often each word was said. None: no word is similar enough.
    """
    most = errors_allowed(word)
    errors = {
        other: OSA.distance(word, other, score_cutoff=most)  # `most + 1` means more than `most`
        for other in counts
        if _begins_alike(word, other)
    }
    similar = [other for other in errors if 0 < errors[other] <= most]
    return min(similar, key=lambda other: (errors[other], -counts[other], other), default=None)


def replace_words(text: str, corrections: Mapping[str, str]) -> str:
    """Replace words by `corrections` (of folded words). A capital at the beginning is kept."""

    def replaced(match: re.Match[str]) -> str:
        word = match[0]
        other = corrections.get(fold(word), word)
        return other[0].upper() + other[1:] if word[0].isupper() else other

    return replace_whole(WORD, text, replaced) if corrections else text


def _begins_alike(word: str, other: str) -> bool:
    return other[0] == word[0] or other[:2] == word[1::-1]


def _variants(word: str, letters: str) -> Iterator[str]:
    for index in range(len(word) + 1):
        before, after = word[:index], word[index:]
        yield from (before + letter + after for letter in letters)
        if after:
            yield before + after[1:]
            yield before + after[1:2] + after[0] + after[2:]
            yield from (before + letter + after[1:] for letter in letters)


def _letters_like(word: str) -> str:
    """The word's alphabet: a to z for Latin, else the letters of the word's pages of Unicode."""
    pages = {ord(letter) // PAGE for letter in word}
    if pages <= set(LATIN_PAGES):
        pages = {0}
    numbers = (PAGE * page + n for page in sorted(pages) for n in range(PAGE))
    letters = (chr(number) for number in numbers)
    return "".join(letter for letter in letters if letter.isalpha() and letter == letter.lower())
