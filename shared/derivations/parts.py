"""Asking about more than a model takes: in parts, and in smaller ones when it says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from shared.errors import InputTooLongError
from shared.llm import ChatMessage, ModelRequest, count_tokens, input_budget
from shared.models import Heard, Message, Usage
from shared.policy.shortening import MOST_PARTS, split_messages
from shared.policy.transcript import render_transcript
from shared.settings import Settings

LEAST_TOKENS = 100  # a model that cannot read so much is of no use

Answer = TypeVar("Answer")


def ask_in_parts(
    request: ModelRequest,
    messages: Sequence[Message],
    ask: Callable[[Sequence[Message]], Answer],
    settings: Settings,
    most_parts: int = MOST_PARTS,
) -> list[Answer]:
    """What `ask` makes of each part, in order. `request` is what it sends beside the messages.

    Raises `InputTooLongError` when the model takes not even a small part, and what `ask` raises.
    """
    room = input_budget(request, settings)
    if room is None:
        return [ask(messages)]
    measure = measure_by(request.model)
    answers: list[Answer] = []
    rest = list(messages)
    while rest:
        part = split_messages(rest, room, measure, most_parts)[0]
        try:
            answers.append(ask(part))
        except InputTooLongError:
            room = min(room, sum(map(measure, part))) // 2
            if room < LEAST_TOKENS:
                raise
            continue
        rest = rest[len(part) :]
    return answers


def with_input(request: ModelRequest, text: str) -> ModelRequest:
    """The whole request: the instructions, and what they are about."""
    return replace(request, messages=(*request.messages, ChatMessage(role="user", content=text)))


def add_up(usages: Sequence[Usage]) -> Usage:
    """What all parts took; the model is that of the last."""
    return Usage(
        tokens_in=sum(one.tokens_in for one in usages),
        tokens_out=sum(one.tokens_out for one in usages),
        model=usages[-1].model,
        calls=sum(one.calls for one in usages),
    )


def measure_by(model: str) -> Callable[[Message | Heard], int]:
    """A message's tokens as the prompt holds it, with its head and its escapes."""
    count = count_tokens(model)
    return lambda message: count(render_transcript([message])) + 1
