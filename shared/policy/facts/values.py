"""A fact's value: cleaned, compared, and fingerprinted."""

from __future__ import annotations

import hashlib
import re
import unicodedata

MAX_VALUE_CHARS = 500

_APOSTROPHES = re.compile(r"['’ʼ]")
_BETWEEN_WORDS = re.compile(r"[\s_.,:;!?()\[\]{}\"“”„«»‐-―/\\-]+")  # signs such as + # $ % count
_NOT_KEPT = ("Cc", "Cf", "Cs")  # control, format, halves of surrogate pairs
_JOINERS = "\u200c\u200d"  # unseen too, but emoji and some scripts need them


def clean_value(text: str) -> str:
    """One line, without characters that cannot be stored or seen."""
    return " ".join("".join(char for char in text if _is_kept(char)).split())


def is_same_value(one: str, other: str) -> bool:
    """Case, spacing and punctuation make no difference: "St. Gallen" is "st gallen"."""
    return plain_value(one) == plain_value(other)


def plain_value(text: str) -> str:
    """What is compared. "C++" is not "C#", nor "10 $" "10 €"; "?!" alone stays as it is."""
    folded = _APOSTROPHES.sub("", unicodedata.normalize("NFKC", text).casefold())
    return _BETWEEN_WORDS.sub(" ", folded).strip() or folded.strip()


def fingerprint(user_id: str, value: str) -> str:
    """Recognises a value without keeping it; the same value of two users differs."""
    return hashlib.sha256(f"{user_id}\0{plain_value(value)}".encode()).hexdigest()


def _is_kept(char: str) -> bool:
    return char.isspace() or char in _JOINERS or unicodedata.category(char) not in _NOT_KEPT
