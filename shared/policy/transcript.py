"""Messages, points and facts as elements of a prompt's input.

What was said is escaped: no text can close its element and pose as another message, or as an
order of ours.
"""

from __future__ import annotations

import html
from collections.abc import Iterable
from datetime import datetime
from typing import Protocol


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


class Pointed(Protocol):
    """A point of an earlier summary."""

    @property
    def text(self) -> str: ...
    @property
    def first(self) -> int: ...
    @property
    def last(self) -> int: ...


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


def render_summary_input(points: Iterable[Pointed], messages: Iterable[Said]) -> str:
    """The earlier points, then the messages that are to be summarised."""
    return "\n".join([*map(_point, points), render_transcript(messages)])


def render_facts_input(known: Iterable[Slot], messages: Iterable[Said]) -> str:
    """The facts on record, so that their slots are used again, then the messages."""
    return "\n".join([*map(_known, known), render_transcript(messages)])


def _message(message: Said) -> str:
    at = f"{message.created_at:%Y-%m-%d %H:%M}"
    head = f'<message seq="{message.sequence_number}" role="{message.role}" at="{at}">'
    return f"{head}{_escape(message.content)}</message>"


def _point(point: Pointed) -> str:
    return f'<point first="{point.first}" last="{point.last}">{_escape(point.text)}</point>'


def _known(fact: Slot) -> str:
    head = f'<known category="{_escape(fact.category)}" key="{_escape(fact.key)}">'
    return f"{head}{_escape(fact.value)}</known>"


def _escape(text: str) -> str:
    return html.escape(text, quote=True).replace("&#x27;", "'")
