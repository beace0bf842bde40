"""Cut the text of a file into passages, the pieces in which it is searched and recalled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from shared.models.attachments import Place
from shared.policy.attachments.places import has_places, split_places
from shared.policy.shortening import CountTokens

PASSAGE_TOKENS = 180  # what small embedding models read whole
MOST_PASSAGES = 500  # of one file; what comes after them is not searched
PIECE_CHARS = 600
LEAST_SHARE = 0.5  # of a full passage: so much may end at a blank line
#: Up to the last end of a sentence within `PIECE_CHARS`, else of a word, else as much as fits.
_PIECE = re.compile(
    rf".{{1,{PIECE_CHARS}}}(?:(?<=[.!?…؟])[\"'”’»)\]]{{0,3}}\s+|(?<=[。！？])|\Z)"
    rf"|.{{1,{PIECE_CHARS}}}(?:\s+|\Z)"
    rf"|.{{1,{PIECE_CHARS}}}",
    re.DOTALL,
)


class CutPassage(NamedTuple):
    text: str
    #: Where in the file it stands. None: the file has no places.
    place: Place | None


def cut_file(text: str, media_type: str, count_tokens: CountTokens) -> list[CutPassage]:
    """The passages of a file, as the reader wrote its text. Each stands in one place."""
    passages: list[CutPassage] = []
    for place, part in split_places(text) if has_places(media_type) else [(None, text)]:
        # A sheet's name tells what is in it, and is searched for.
        section = f"{place.name}\n\n{part}" if place and place.kind == "sheet" else part
        passages += [CutPassage(piece, place) for piece in cut_passages(section, count_tokens)]
        if len(passages) >= MOST_PASSAGES:
            break
    return passages[:MOST_PASSAGES]


def cut_passages(text: str, count_tokens: CountTokens) -> list[str]:
    """At most `MOST_PASSAGES` passages of about `PASSAGE_TOKENS` tokens at most, in their order.

    They end at blank lines if they are long enough by then, else at ends of lines and of sentences.
    """
    passages: list[str] = []
    current, tokens = "", 0
    for piece in _pieces(text, count_tokens):
        size = count_tokens(piece)
        is_long = tokens >= PASSAGE_TOKENS * LEAST_SHARE and not piece.strip()
        if current and (tokens + size > PASSAGE_TOKENS or is_long):
            if current.strip():
                passages.append(current)
            current, tokens = "", 0
            if len(passages) >= MOST_PASSAGES:
                break
        current, tokens = current + piece, tokens + size
    stripped = (passage.strip() for passage in [*passages, current])
    return [passage for passage in stripped if passage][:MOST_PASSAGES]


def _pieces(text: str, count_tokens: CountTokens) -> Iterator[str]:
    for line in text.splitlines(keepends=True):
        if len(line) <= PIECE_CHARS:
            yield from _halve(line, count_tokens)
        else:
            for match in _PIECE.finditer(line):
                yield from _halve(match[0], count_tokens)


def _halve(piece: str, count_tokens: CountTokens) -> Iterator[str]:
    """Few letters may be many tokens, as in Chinese."""
    if len(piece) == 1 or count_tokens(piece) <= PASSAGE_TOKENS:
        yield piece
        return
    middle = len(piece) // 2
    middle = piece.rfind(" ", 1, middle) + 1 or middle
    yield from _halve(piece[:middle], count_tokens)
    yield from _halve(piece[middle:], count_tokens)
