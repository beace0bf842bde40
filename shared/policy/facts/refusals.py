"""What must not become a fact: orders to the machinery, dressed up as a wish of the user's."""

from __future__ import annotations

import re
import unicodedata


def _signs(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_RULES = r"(?:instruction|rule|guideline|guardrail|restriction|prompt)s?"

# Refused under any category: nobody is this.
_OVERRIDES = _signs(
    rf"\b(?:ignor|disregard|forget|overrid|bypass|disobey)\w*\b[^.]{{0,40}}\b{_RULES}\b",
    rf"\b(?:previous|prior|above|earlier|preceding|original|system|hidden|developer)[ _]{_RULES}\b",
    r"\b(?:system|developer)[ _](?:message|mode)\b",
    r"\bmemory[ _](?:block|section|tag)\b|</?\s*(?:memory|system|message|known|point)\b",
    r"\bjailbr(?:eak|oken)\w*|\bdo anything now\b|\bprompt injection\b",
    r"^\s*(?:system|assistant|developer)\s*:",
)

# Refused as instructions: how the assistant answers is the user's to say; what it is, is not.
_ROLE_PLAY = _signs(
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
    plain = "".join(char for char in unicodedata.normalize("NFKC", text) if not _is_unseen(char))
    return bool(
        _OVERRIDES.search(plain) or (category == "instruction" and _ROLE_PLAY.search(plain))
    )


def _is_unseen(char: str) -> bool:
    """Zero-width characters break up words for us, not for a model."""
    return unicodedata.category(char) == "Cf"
