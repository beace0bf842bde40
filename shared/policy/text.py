"""Text that Postgres can store and search."""

from __future__ import annotations

import re

from shared.policy.folding import fold

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_FIRST_HALVES = ("\ud800", "\udbff")  # of characters beyond U+FFFF, as JSON may write them


def is_storable(text: str) -> bool:
    """Whether the text has no NUL and no lone surrogate: a UTF-8 column cannot store them."""
    return storable(text) == text


def storable(text: str) -> str:
    """A model's text without characters that cannot be stored. (A user's text gets an error.)

    Two halves of a character become one; a half alone becomes U+FFFD.
    """
    if not _UNSTORABLE.search(text):
        return text
    units = text.replace("\x00", "").encode("utf-16-le", "surrogatepass")
    return units.decode("utf-16-le", "replace")


class TextJoiner:
    """Makes a text storable, piece by piece. A character may be cut between two pieces."""

    def __init__(self) -> None:
        self._half = ""

    def take(self, piece: str) -> str:
        text = self._half + piece
        first, last = _FIRST_HALVES
        self._half = text[-1] if text and first <= text[-1] <= last else ""
        return storable(text[: len(text) - len(self._half)])

    def finish(self) -> str:
        return storable(self._half)


def printable(text: str) -> str:
    """The text in one line, without signs that are not seen."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def folded_patterns(text: str) -> list[str]:
    """A LIKE pattern for each part of a text, to compare with what `fold` of Postgres gives."""
    return [containing_pattern(part) for part in fold(text).split()]


def containing_pattern(part: str) -> str:
    """A LIKE pattern for texts that contain `part`. The %, _ and \\ in `part` are escaped."""
    signs = str.maketrans({"\\": r"\\", "%": r"\%", "_": r"\_"})
    return f"%{part.translate(signs)}%"
