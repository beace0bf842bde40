"""Values of facts: cleaning, comparing and fingerprinting them."""

from __future__ import annotations

import hashlib
import re
import unicodedata

MAX_VALUE_CHARS = 500

_APOSTROPHES = re.compile(r"['’ʼ]")
_BETWEEN_WORDS = re.compile(r"[\s_.,:;!?()\[\]{}\"“”„«»‐-―/\\-]+")  # signs such as + # $ % count
_NOT_KEPT = ("Cc", "Cf", "Cs")  # control, format, halves of surrogate pairs
_JOINERS = "\u200c\u200d"  # format characters that emoji and some scripts need


def clean_value(text: str) -> str:
    """The text in one line, without invisible characters and characters that cannot be stored."""
    return " ".join("".join(char for char in text if _is_kept(char)).split())


def is_same_value(value: str, other: str) -> bool:
    """Whether two values are equal apart from case, spacing and punctuation."""
    return plain_value(value) == plain_value(other)


def plain_value(text: str) -> str:
    """The form that is compared. "C++" and "C#" differ, and so do "10 $" and "10 €"."""
    folded = _APOSTROPHES.sub("", unicodedata.normalize("NFKC", text).casefold())
    return _BETWEEN_WORDS.sub(" ", folded).strip() or folded.strip()


def fingerprint(user_id: str, value: str) -> str:
    """A hash that recognises a value without storing it. Each user has different hashes."""
    return hashlib.sha256(f"{user_id}\0{plain_value(value)}".encode()).hexdigest()


def _is_kept(char: str) -> bool:
    return char.isspace() or char in _JOINERS or unicodedata.category(char) not in _NOT_KEPT
