"""Read from a question who told whom, and whether it asks for topics, or for the whole time.

The words of each language are in `shared/languages`. A question's language is not guessed: those
of all languages are tried.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import Literal

from shared.languages import WORDINGS
from shared.languages.form import Wording
from shared.models import Role
from shared.policy.ranking.world_dates import bounded, plain_digits

LONGEST_QUESTION = 600  # characters

Occasion = Literal["first", "last"]
Kind = Literal[
    "me", "you", "you_told", "i_told", "topics", "first_time", "last_time", "whole", "how_long"
]


def role_of(text: str) -> Role | None:
    """Who said what the question asks for. None: the question does not tell.

    The assistant for "What did you suggest to me?", the user for "Did I tell you where I live?"
    and for "Where do I live?". "What would you suggest?" asks for nothing that was said.
    """
    text = plain_digits(text)
    by_assistant, by_user = _first(text, "you_told"), _first(text, "i_told")
    if by_assistant is not None and (by_user is None or by_assistant < by_user):
        return "assistant"
    if by_user is not None:
        return "user"
    return _role_by_person(text)


def asks_for_topics(text: str) -> bool:
    return _first(plain_digits(text), "topics") is not None


def asks_for_whole(text: str) -> bool:
    """Whether it asks about the whole time: "in which order …", "how many different …".

    Such an answer lies in many places, of which none needs to resemble the question. A long text is
    something to work on, and no question.
    """
    return len(text) <= LONGEST_QUESTION and _first(plain_digits(text), "whole") is not None


def asks_how_long(text: str) -> bool:
    return _first(plain_digits(text), "how_long") is not None


def read_occasion(text: str) -> Occasion | None:
    text = plain_digits(text)
    if _first(text, "first_time") is not None:
        return "first"
    return "last" if _first(text, "last_time") is not None else None


@functools.cache
def standing_pattern() -> re.Pattern[str]:
    """Matches the beginning of a message that holds for good: "Always …", "I prefer …"."""
    forms = [
        f"(?:{wording.standing})" + (r"(?!\w)" if wording.writes_spaces else "")
        for wording in WORDINGS
        if wording.standing
    ]
    return re.compile(rf"\W*(?:{'|'.join(forms)})", re.IGNORECASE)


def _role_by_person(text: str) -> Role | None:
    """By the first language that has one of the persons."""
    for me, you in _persons():
        is_me, is_you = bool(me.search(text)), bool(you.search(text))
        if is_me or is_you:
            return None if is_you else "user"
    return None


def _first(text: str, kind: Kind) -> int | None:
    """Where the first of these words begins, in any language."""
    matches = (pattern.search(text) for pattern in _patterns(kind))
    return min((match.start() for match in matches if match), default=None)


@functools.cache
def _patterns(kind: Kind) -> tuple[re.Pattern[str], ...]:
    return tuple(_compile(kind, WORDINGS))


@functools.cache
def _persons() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    return tuple(zip(_compile("me", WORDINGS), _compile("you", WORDINGS), strict=True))


def _compile(kind: Kind, languages: Iterable[Wording]) -> Iterable[re.Pattern[str]]:
    return (bounded(getattr(wording, kind) or r"(?!)", wording) for wording in languages)
