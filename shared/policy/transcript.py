"""Render messages and facts as XML elements, for the prompts of background jobs.

All texts are escaped, so no text can close its element and pose as a message or an instruction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Protocol

from shared.policy.escaping import escape_attribute, escape_text

EXCHANGES = "Note these exchanges, each in its own language: {exchanges}."


class Said(Protocol):
    """The rendered fields of a message."""

    @property
    def sequence_number(self) -> int: ...
    @property
    def role(self) -> str: ...
    @property
    def content(self) -> str: ...
    @property
    def created_at(self) -> datetime: ...


class Slot(Protocol):
    """The rendered fields of a stored fact."""

    @property
    def category(self) -> str: ...
    @property
    def key(self) -> str: ...
    @property
    def value(self) -> str: ...


def render_transcript(messages: Iterable[Said]) -> str:
    """One element for each message. `at` is to the minute, in the time zone of `created_at`."""
    return "\n".join(_message(message) for message in messages)


def render_summary_input(messages: Sequence[Said]) -> str:
    """The messages and a list of their exchanges. Without the list small models skip exchanges.

    The input has no earlier points, because small models copy them with new numbers.
    """
    rounds: dict[int, list[int]] = {}
    for message in messages:
        rounds.setdefault(message.sequence_number // 2, []).append(message.sequence_number)
    exchanges = ", ".join(f"{numbers[0]}-{numbers[-1]}" for numbers in rounds.values())
    return f"{render_transcript(messages)}\n\n{EXCHANGES.format(exchanges=exchanges)}"


def render_facts_input(known: Iterable[Slot], messages: Iterable[Said]) -> str:
    """The stored facts, then the messages. The model should use the keys of the facts again."""
    return "\n".join([*map(_known, known), render_transcript(messages)])


def _message(message: Said) -> str:
    at = f"{message.created_at:%Y-%m-%d %H:%M}"
    head = f'<message seq="{message.sequence_number}" role="{message.role}" at="{at}">'
    return f"{head}{escape_text(message.content)}</message>"


def _known(fact: Slot) -> str:
    category, key, value = map(escape_attribute, (fact.category, fact.key, fact.value))
    return f'<known category="{category}" key="{key}">{value}</known>'
