"""Refuses prompt injections: orders to the system in the form of a fact about the user."""

from __future__ import annotations

import re
import unicodedata


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_RULES = r"(?:instruction|rule|guideline|guardrail|restriction|prompt)s?"

# Refused in any category.
_OVERRIDES = _any_of(
    rf"\b(?:ignor|disregard|forget|overrid|bypass|disobey)\w*\b[^.]{{0,40}}\b{_RULES}\b",
    rf"\b(?:previous|prior|above|earlier|preceding|original|system|hidden|developer)[ _]{_RULES}\b",
    r"\b(?:system|developer)[ _](?:message|mode)\b",
    r"\bmemory[ _](?:block|section|tag)\b|</?\s*(?:memory|system|message|known|point)\b",
    r"\bjailbr(?:eak|oken)\w*|\bdo anything now\b|\bprompt injection\b",
    r"^\s*(?:system|assistant|developer)\s*:",
)

# Refused in instructions. The user may set how the assistant answers, but not its role.
_ROLE_PLAY = _any_of(
    r"\byou(?: are|['’]re) (?:now|no longer)\b|\bfrom now on you(?: are|['’]re)\b",
    r"\bact as\b|\bpretend\b|\brole[- _]?play\w*|\bimpersonat\w+|\bassume the (?:role|identity)\b",
    r"\b(?:no|without|un)[- ]?(?:restrict|filter|censor)\w*",
    rf"\b(?:reveal|leak|expose|repeat)\b[^.]{{0,40}}\b(?:{_RULES}|secrets?|passwords?|memory)\b",
    r"\b(?:print|show|output)\b[^.]{0,40}\b(?:prompts?|secrets?|passwords?)\b",
    r"\byour (?:memory|rules|guidelines|guardrails|training|safety|prompt|instructions)\b",
    r"\b(?:admin|root|god|debug)[ _-]?mode\b",
)


def is_refused(category: str, key: str, value: str) -> bool:
    text = f"{value}\n{key.replace('_', ' ')}"
    plain = "".join(char for char in unicodedata.normalize("NFKC", text) if not _is_invisible(char))
    return bool(
        _OVERRIDES.search(plain) or (category == "instruction" and _ROLE_PLAY.search(plain))
    )


def _is_invisible(char: str) -> bool:
    """Zero-width characters would hide a word from these patterns, but not from a model."""
    return unicodedata.category(char) == "Cf"
