"""Asks the model about many messages, in parts that fit its context.

If the model refuses a part as too long, the parts get half as long.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from shared.errors import InputTooLongError
from shared.llm import ModelRequest, count_tokens, input_budget
from shared.models import Heard, Message, Usage
from shared.policy.shortening import MOST_PARTS, split_messages
from shared.policy.transcript import render_transcript
from shared.settings import Settings

LEAST_TOKENS = 100  # if the model refuses even such a short part, the job fails

Answer = TypeVar("Answer")


def ask_in_parts(
    request: ModelRequest,
    messages: Sequence[Message],
    ask: Callable[[Sequence[Message]], Answer],
    settings: Settings,
    most_parts: int = MOST_PARTS,
) -> list[Answer]:
    """Ask about all parts, and return the answers in order. `request` has no messages yet.

    Raises `InputTooLongError` if even a small part is too long, and all that `ask` raises.
    """
    budget = input_budget(request, settings)
    if budget is None:
        return [ask(messages)]
    measure = measure_by(request.model)
    answers: list[Answer] = []
    rest = list(messages)
    while rest:
        part = split_messages(rest, budget, measure, most_parts)[0]
        try:
            answers.append(ask(part))
        except InputTooLongError:
            budget = min(budget, sum(map(measure, part))) // 2
            if budget < LEAST_TOKENS:
                raise
            continue
        rest = rest[len(part) :]
    return answers


def sum_usage(usages: Sequence[Usage]) -> Usage:
    """Add up the tokens and calls of all parts. The model is the model of the last part."""
    return Usage(
        tokens_in=sum(part.tokens_in for part in usages),
        tokens_out=sum(part.tokens_out for part in usages),
        model=usages[-1].model,
        calls=sum(part.calls for part in usages),
    )


def measure_by(model: str) -> Callable[[Message | Heard], int]:
    """Make a function that counts the tokens of a message as rendered, with its tag and escapes."""
    count = count_tokens(model)
    return lambda message: count(render_transcript([message])) + 1
