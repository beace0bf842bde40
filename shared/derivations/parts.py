"""Asks the model about many messages, in parts that fit its context.

At a server that memory shares with replies, a part is what the server answers in some seconds: a
reply that cuts off a call costs no more. If the model refuses a part as too long, the parts get
half as long. The answers about finished parts are stored, and are not asked for again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Generic, TypeVar

import pydantic

from shared.derivations.request import with_input
from shared.errors import InputTooLongError
from shared.llm import (
    ModelRequest,
    ask_json,
    count_tokens,
    input_budget,
    pace_of,
    server_of,
    shorter_budget,
)
from shared.models import Claim, Heard, Message, Usage
from shared.models.job_kinds import Derivation
from shared.policy.shortening import MOST_PARTS, room_of_part, split_messages
from shared.policy.transcript import render_transcript
from shared.services import Services
from shared.settings import Settings
from shared.store.lease import parts as stored_parts

LEAST_TOKENS = 100  # if the model refuses even such a short part, the job fails

Answer = TypeVar("Answer")
Form = TypeVar("Form", bound=pydantic.BaseModel)


@dataclass(frozen=True, kw_only=True)
class Part(Generic[Form]):
    """The model's answer about `messages`."""

    messages: Sequence[Message]
    answer: Form
    usage: Usage


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How the messages of one job are divided."""

    #: How many full parts they may fill; the longest messages are cut to fit.
    most_parts: int = MOST_PARTS
    #: How long an answer is, as a share of its messages, if it should be written within seconds.
    written_share: float | None = None


@dataclass(frozen=True, kw_only=True)
class PartwiseJob(Generic[Form]):
    """A job whose messages are read in parts. Whoever continues it begins after the stored ones."""

    services: Services
    derivation: Derivation
    claim: Claim
    form: type[Form]
    #: The request without messages, and how messages are written in it.
    request: ModelRequest
    render: Callable[[Sequence[Message]], str]
    #: How long an answer is, as a share of its messages.
    written_share: float

    def read(self, messages: Sequence[Message], settings: Settings) -> list[Part[Form]]:
        """The answers about all `messages`, in order. Raises what `ask_in_parts` raises."""
        parts = self._list_stored(messages)
        rest = messages[sum(len(part.messages) for part in parts) :]
        if not rest:
            return parts

        def ask(some: Sequence[Message]) -> Part[Form]:
            request = with_input(self.request, self.render(some))
            answer, usage = ask_json(request, self.form, settings)
            part = Part(messages=some, answer=answer, usage=usage)
            if some[-1].sequence_number != messages[-1].sequence_number:
                self._store(part)
            return part

        limits = Limits(written_share=self.written_share)
        return parts + ask_in_parts(self.request, rest, ask, settings, limits)

    def _list_stored(self, messages: Sequence[Message]) -> list[Part[Form]]:
        with self.services.database.transaction(user=self.claim.user_id) as connection:
            rows = stored_parts.list_parts(connection, self.derivation, self.claim)
        return [
            Part(
                messages=[m for m in messages if row["start"] <= m.sequence_number <= row["end"]],
                answer=self.form.model_validate(row["answer"]),
                usage=Usage(**row["usage"]),
            )
            for row in rows
        ]

    def _store(self, part: Part[Form]) -> None:
        row = {
            "start": part.messages[0].sequence_number,
            "end": part.messages[-1].sequence_number,
            "answer": part.answer.model_dump(mode="json"),
            "usage": asdict(part.usage),
        }
        with self.services.database.transaction(user=self.claim.user_id) as connection:
            stored_parts.add_part(connection, self.derivation, self.claim, row)


def ask_in_parts(
    request: ModelRequest,
    messages: Sequence[Message],
    ask: Callable[[Sequence[Message]], Answer],
    settings: Settings,
    limits: Limits,
) -> list[Answer]:
    """Ask about all parts, and return the answers in order. `request` has no messages yet.

    Raises `InputTooLongError` if even a small part is too long, and all that `ask` raises.
    """
    budget = input_budget(request, settings)
    if budget is None:
        return [ask(messages)]
    measure = measure_by(request.model)
    most_room = budget
    answers: list[Answer] = []
    rest = list(messages)
    while rest:
        quick = part_tokens(settings, limits.written_share) if limits.written_share else None
        room = room_of_part([measure(message) for message in rest], most_room, quick)
        most_parts = -(-budget * limits.most_parts // room)  # shorter parts, as much text in all
        part = split_messages(rest, room, measure, most_parts)[0]
        try:
            answers.append(ask(part))
        except InputTooLongError:
            most_room = shorter_budget(request, min(room, sum(map(measure, part))), settings)
            if most_room < LEAST_TOKENS:
                raise
            continue
        rest = rest[len(part) :]
    return answers


def part_tokens(settings: Settings, written_share: float) -> int | None:
    """How many tokens of messages one call is about, by the pace of memory's model. None: any.

    While the pace is not known it is one message.
    """
    if not settings.memory_has_own_server:
        return None
    return pace_of(server_of(settings.effective_memory_model, settings) or "").part_tokens(
        written_share
    )


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
