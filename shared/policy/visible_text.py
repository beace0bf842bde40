"""A text as a reader sees it: compatibility forms are joined, invisible characters left out.

`ＴＩＣＫＥＴ-４２` becomes `TICKET-42`, and so do digits of other scripts. Case, accents and line
breaks stay. Offsets lead back to the text.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

# Unicode's Default_Ignorable_Code_Point: soft hyphens, zero-width characters, directions, fillers.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
_OTHER_DIGIT = re.compile(r"[^\D0-9]")
# They are composed with the character before them, though they do not combine: vowels and finals of
# Korean syllables, and the voicing marks of narrow Japanese letters.
_COMPOSED = frozenset(map(chr, (*range(0x1160, 0x1200), 0xFF9E, 0xFF9F)))
MAX_CLUSTER_CHARS = 31  # a letter and 30 marks (Unicode Annex 15, stream-safe text)


class VisibleText(NamedTuple):
    text: str
    #: Of each character: where in the original it begins and ends.
    starts: Sequence[int]
    ends: Sequence[int]

    def find_original(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original that is seen as this one."""
        return self.starts[start], self.ends[end - 1]


def read_visible(text: str) -> VisibleText:
    if _is_visible(text):
        return VisibleText(text, range(len(text)), range(1, len(text) + 1))
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in _list_clusters(text):
        piece = _read_cluster(text[start:end])
        pieces.append(piece)
        starts += [start] * len(piece)
        ends += [end] * len(piece)
    return VisibleText("".join(pieces), starts, ends)


@functools.lru_cache(maxsize=4096)
def _read_cluster(cluster: str) -> str:
    piece = _INVISIBLE.sub("", unicodedata.normalize("NFKC", cluster))
    return _OTHER_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), piece)


def as_seen(text: str) -> str:
    """The same without the offsets."""
    return text if _is_visible(text) else read_visible(text).text


def _is_visible(text: str) -> bool:
    return text.isascii() or (
        unicodedata.is_normalized("NFKC", text)
        and not _INVISIBLE.search(text)
        and not _OTHER_DIGIT.search(text)
    )


def _list_clusters(text: str) -> Iterator[tuple[int, int]]:
    """The spans that are normalized together: a character, and what is composed with it."""
    start = 0
    for place in range(1, len(text) + 1):
        is_full = place - start == MAX_CLUSTER_CHARS
        if place == len(text) or is_full or not _joins(text[place]):
            yield start, place
            start = place


def _joins(character: str) -> bool:
    return character in _COMPOSED or unicodedata.combining(character) != 0
