"""Text as Postgres can keep it."""

from __future__ import annotations


def is_storable(text: str) -> bool:
    """No NUL, and no half of a surrogate pair: neither has a place in UTF-8 text columns."""
    return storable(text) == text


def storable(text: str) -> str:
    """Without the characters that cannot be kept. For what models write; people are told."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


def holding_pattern(part: str) -> str:
    """LIKE's pattern for "holds this", with LIKE's own signs taken as they are."""
    signs = str.maketrans({"\\": r"\\", "%": r"\%", "_": r"\_"})
    return f"%{part.translate(signs)}%"
