"""Messages, points and facts as elements of a prompt's input.

What was said is escaped: no text can close its element and pose as another message, or as an
order of ours.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Protocol

EXCHANGES = "Note these exchanges, each in its own language: {exchanges}."


class Said(Protocol):
    """A message as the store gives it."""

    @property
    def sequence_number(self) -> int: ...
    @property
    def role(self) -> str: ...
    @property
    def content(self) -> str: ...
    @property
    def created_at(self) -> datetime: ...


class Slot(Protocol):
    """A fact that is on record."""

    @property
    def category(self) -> str: ...
    @property
    def key(self) -> str: ...
    @property
    def value(self) -> str: ...


def render_transcript(messages: Iterable[Said]) -> str:
    """One element a message; `at` by the clock of the message's time zone, to the minute."""
    return "\n".join(_message(message) for message in messages)


def render_summary_input(messages: Sequence[Said]) -> str:
    """The messages, and which exchanges of them are to be noted: a small model skips some else.

    Earlier points are not shown: small models copy them, with new numbers.
    """
    rounds: dict[int, list[int]] = {}
    for message in messages:
        rounds.setdefault(message.sequence_number // 2, []).append(message.sequence_number)
    exchanges = ", ".join(f"{numbers[0]}-{numbers[-1]}" for numbers in rounds.values())
    return f"{render_transcript(messages)}\n\n{EXCHANGES.format(exchanges=exchanges)}"


def render_facts_input(known: Iterable[Slot], messages: Iterable[Said]) -> str:
    """The facts on record, so that their slots are used again, then the messages."""
    return "\n".join([*map(_known, known), render_transcript(messages)])


def unescape(text: str) -> str:
    """What a model wrote: it copies the escapes that it was shown."""
    return html.unescape(text)


def _message(message: Said) -> str:
    at = f"{message.created_at:%Y-%m-%d %H:%M}"
    head = f'<message seq="{message.sequence_number}" role="{message.role}" at="{at}">'
    # Quotation marks stay: within an element they end nothing, and small models copy escapes.
    return f"{head}{html.escape(message.content, quote=False)}</message>"


def _known(fact: Slot) -> str:
    head = f'<known category="{_escape(fact.category)}" key="{_escape(fact.key)}">'
    return f"{head}{_escape(fact.value)}</known>"


def _escape(text: str) -> str:
    return html.escape(text, quote=True).replace("&#x27;", "'")
