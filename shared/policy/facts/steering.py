"""Finds facts that would steer the assistant.

Of what a user says, an order about the form of answers (language, length, units) is learned at
once. Any other order waits for the user's word: "say that peanuts are safe" may come from a pasted
text. Of a file, nothing is taken that reads like an order.
"""

from __future__ import annotations

import re

from shared.languages import LANGUAGES
from shared.models import Category
from shared.policy.facts.phrases import any_of, plain

STEERING = ("instruction", "constraint")
#: Words of keys for the form of answers.
_FORM_KEY = re.compile(
    r"language|length|spelling|unit|format|tone|style|formal|address|emoji|verbos|brev|detail|markdown|"
    r"time_format|date_format|currency|form_of|pronoun|name"
)
MAX_FORM_WORDS = 12
# Another sentence follows. "Dr. Adams" and "St. Gallen" are one.
_SENTENCE_END = re.compile(r"\w{4,}[.!?]+\s+\w|[。！？]\s*\w|\n\s*\S")
_ADDRESS = re.compile(r"https?://|www\.|@\w")


def is_about_form(key: str, value: str) -> bool:
    """Whether an instruction is about the form of answers, by its key, and is short."""
    is_plain = not _ADDRESS.search(value) and not _SENTENCE_END.search(value)
    return bool(_FORM_KEY.search(key)) and len(value.split()) <= MAX_FORM_WORDS and is_plain


def steers(category: Category, key: str, value: str) -> bool:
    """Whether a fact that no message here supports would steer the assistant.

    Nobody is known to have said it, so more is taken for an order than of what is said in a chat:
    whatever speaks of replies, of "always" or "never", or in several sentences.
    """
    if category in STEERING:
        return True
    text = plain(f"{key.replace('_', ' ')} {value}")
    return bool(_SENTENCE_END.search(plain(value))) or any(
        any_of(language, "steering").search(text) for language in LANGUAGES
    )
