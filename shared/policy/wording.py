"""Compare texts by their words, to find repeats and the source of a sentence.

It needs no word lists. Scripts without spaces are read as pairs of letters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3040-\u30ff\u31f0-\u31ff"  # Japanese
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"  # Chinese
)
PIECE = re.compile(rf"[{UNSPACED}]+|[^\W_{UNSPACED}]+")
IS_UNSPACED = re.compile(f"[{UNSPACED}]")
# Words up to this length are mostly articles, prepositions and pronouns; numbers and names are not.
LIGHT_CHARS = 3
STEM_CHARS = 5  # letters that are compared: "planted" and "planting" are the same word
LIGHT = 0.25  # the weight of a light word


def find_words(text: str) -> dict[str, float]:
    """The different words with their weights: 1 for content, `LIGHT` for light words."""
    words: dict[str, float] = {}
    for piece in PIECE.findall(unicodedata.normalize("NFKC", text)):
        for word, weight in _weigh(piece):
            words[word] = max(weight, words.get(word, 0.0))
    return words


def find_content(text: str) -> set[str]:
    """The words that carry meaning."""
    return {word for word, weight in find_words(text).items() if weight > LIGHT}


def overlap(words: dict[str, float], other_words: dict[str, float]) -> float:
    """The share of the words that both texts have, by weight: 0 to 1."""
    weights = {
        word: max(words.get(word, 0), other_words.get(word, 0)) for word in words | other_words
    }
    shared = sum(weights[word] for word in words.keys() & other_words.keys())
    return shared / sum(weights.values()) if weights else 0.0


def numbers(words: Iterable[str]) -> set[str]:
    return {word for word in words if any(letter.isdigit() for letter in word)}


def _weigh(piece: str) -> list[tuple[str, float]]:
    folded = unicodedata.normalize("NFKC", piece.casefold())
    if IS_UNSPACED.match(folded):
        return [(folded[n : n + 2], 1.0) for n in range(max(1, len(folded) - 1))]
    if numbers([folded]):
        return [(folded, 1.0)]
    is_light = len(folded) <= LIGHT_CHARS and not piece[:1].isupper()
    return [(folded[:STEM_CHARS], LIGHT if is_light else 1.0)]
