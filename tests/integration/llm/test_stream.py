from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable
from typing import Any

import pytest

from shared.errors import ModelTimeoutError, ModelUnavailableError
from shared.llm import open_stream
from shared.settings import Settings
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.llm.conftest import MakeRequest
from tests.waiting import PATIENCE_S


def read_until_error(stream: Any) -> Any:
    """The pieces, and the error after them."""
    pieces = []
    try:
        for piece in stream:
            pieces.extend([piece] if piece else [])
    except ModelUnavailableError as error:
        return pieces, error
    pytest.fail("no error came")


def test_pieces_come_one_by_one_and_then_the_whole(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(Scripted(text="It is deep blue.", tokens_in=5, tokens_out=4))

    stream = open_stream(ask(), wired())
    pieces = [piece for piece in stream if piece]

    assert pieces == ["It ", "is ", "deep ", "blue."]
    assert stream.completion.text == "It is deep blue."
    assert stream.completion.finish_reason == "stop"
    assert (stream.completion.tokens_in, stream.completion.tokens_out) == (5, 4)


def test_the_whole_is_not_there_before_the_end(
    wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    stream = open_stream(ask(), wired())

    with pytest.raises(RuntimeError):
        _ = stream.completion


def test_ticks_come_while_nothing_else_does(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(Scripted(text="Late.", delay_s=1))
    instants = [time.monotonic()]

    for _ in open_stream(ask(), wired()):
        instants.append(time.monotonic())

    gaps = [later - before for before, later in itertools.pairwise(instants)]
    assert len(gaps) >= 4
    assert statistics.median(gaps) < 0.5  # 0.1 on a quiet machine


def test_ticks_come_between_tries_too(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(Scripted(status=429, retry_after="1"), Scripted(text="Late."))

    items = list(open_stream(ask(), wired(llm_tries=2)))

    assert items.count(None) >= 4


def test_a_reset_mid_stream_keeps_what_came_and_is_not_retried(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(Scripted(text="one two three four", reset_after=2))

    pieces, _ = read_until_error(open_stream(ask(), wired(llm_tries=3, llm_fallbacks="second")))

    assert pieces == ["one ", "two "]
    assert len(openai_server.requests) == 1


def test_a_reset_before_the_first_piece_is_retried(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(Scripted(reset_after=0), Scripted(text="At last."))

    stream = open_stream(ask(), wired(llm_tries=2))

    assert "".join(piece or "" for piece in stream) == "At last."


def test_a_stream_that_just_ends_is_an_error(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(Scripted(text="one two", finish_reason=None))

    pieces, error = read_until_error(open_stream(ask(), wired()))

    assert pieces == ["one ", "two"]
    assert "broke off" in error.message


def test_a_length_limit_is_told(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(Scripted(text="one two", finish_reason="length"))

    stream = open_stream(ask(), wired())
    list(stream)

    assert stream.completion.finish_reason == "length"


def test_an_empty_stream_is_an_error(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(Scripted(text=""))

    pieces, error = read_until_error(open_stream(ask(), wired()))

    assert pieces == []
    assert "empty" in error.message


def test_a_model_that_falls_silent_times_out(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(Scripted(text="one two", piece_delay_s=2))

    _, error = read_until_error(open_stream(ask(), wired(llm_timeout_s=0.4)))

    assert isinstance(error, ModelTimeoutError)


def test_an_endless_answer_is_ended(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(Scripted(text="word " * 200, piece_delay_s=0.05))

    pieces, error = read_until_error(open_stream(ask(deadline_s=2), wired(llm_timeout_s=2)))

    assert isinstance(error, ModelTimeoutError)
    assert pieces


def test_a_long_row_of_the_same_piece_is_no_fault(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    row = "--- " * 300
    openai_server.script(Scripted(text=row))

    assert "".join(piece or "" for piece in open_stream(ask(), wired())) == row


def test_an_abandoned_stream_hangs_up(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    openai_server.script(Scripted(text="word " * 400, piece_delay_s=0.02))

    stream = open_stream(ask(), wired())
    next(piece for piece in stream if piece)
    stream.close()

    assert list(stream) == []
    assert openai_server.hung_up.wait(PATIENCE_S)


def test_the_stand_in_streams_word_by_word(
    wired: Callable[..., Settings], ask: MakeRequest
) -> None:
    stream = open_stream(ask("Hello!", model="offline/extractive"), wired())
    pieces = [piece for piece in stream if piece]

    assert pieces[:3] == ["Hello! ", "I ", "am "]
    assert stream.completion.provider == "offline"
