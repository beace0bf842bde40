"""Asking in parts, with a function in place of the model."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from shared.derivations.parts import Limits, ask_in_parts, sum_usage
from shared.derivations.request import memory_request
from shared.errors import InputTooLongError
from shared.models import ConversationId, Message, Usage
from shared.settings import Settings, read_settings

WORDS = 300  # of each message


def settings_with(context_tokens: int) -> Settings:
    """A server of one's own whose model has a small context."""
    return read_settings(
        memory_model="own-model",
        llm_api_base="http://127.0.0.1:9/v1",
        memory_ctx_tokens=context_tokens,
        memory_max_tokens=200,
    )


def message(sequence: int) -> Message:
    return Message(
        conversation_id=ConversationId("c"),
        model=None,
        error=None,
        sequence_number=sequence,
        role="user",
        content="word " * WORDS,
        status="complete",
        created_at=datetime(2026, 5, 20, tzinfo=UTC),
    )


class Reader:
    """Takes the place of the model: refuses more than `most` characters, and notes what it read."""

    def __init__(self, most: int = 10**9) -> None:
        self.most = most
        self.read: list[list[int]] = []

    def __call__(self, part: Sequence[Message]) -> int:
        if sum(len(item.content) for item in part) > self.most:
            raise InputTooLongError
        self.read.append([item.sequence_number for item in part])
        return len(part)


MESSAGES = [message(sequence) for sequence in range(4)]


def ask(reader: Reader, settings: Settings, most_parts: int = 10) -> list[int]:
    request = memory_request("title", settings)
    return ask_in_parts(request, MESSAGES, reader, settings, Limits(most_parts=most_parts))


def test_what_fits_is_asked_about_at_once() -> None:
    reader = Reader()
    assert ask(reader, settings_with(8000)) == [4]


def test_what_does_not_fit_is_asked_about_in_parts_that_leave_nothing_out() -> None:
    reader = Reader()
    assert len(ask(reader, settings_with(1000))) > 1
    assert [sequence for part in reader.read for sequence in part] == [0, 1, 2, 3]


def test_a_part_that_the_model_calls_too_long_is_halved() -> None:
    reader = Reader(most=2 * 5 * WORDS)
    ask(reader, settings_with(8000))
    assert [sequence for part in reader.read for sequence in part] == [0, 1, 2, 3]
    assert max(map(len, reader.read)) <= 2


def test_a_model_that_reads_not_even_a_small_part_raises_its_refusal() -> None:
    with pytest.raises(InputTooLongError):
        ask(Reader(most=10), settings_with(8000))


def test_the_usage_of_all_parts_is_summed_under_the_last_model() -> None:
    first_usage = Usage(tokens_in=5, tokens_out=1, model="first")
    second_usage = Usage(tokens_in=7, tokens_out=2, model="second", calls=2)
    total = Usage(tokens_in=12, tokens_out=3, model="second", calls=3)
    assert sum_usage([first_usage, second_usage]) == total
