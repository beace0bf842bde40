"""Answers over the wire, within small bounds."""

from __future__ import annotations

import gzip
import threading
import time
from collections.abc import Iterator

import httpx
import pytest

from shared.outbound.bounded_answers import UnboundedAnswerError, watch_answers
from shared.outbound.connections import Bounds, bounded_call, connection_here
from tests.fakes.hostile_server import (
    HostileServer,
    MakeAnswer,
    endless,
    head,
    running_hostile_server,
    whole,
)
from tests.waiting import PATIENCE_S

BOUNDS = Bounds(whole_bytes=10_000, event_bytes=1_000, stream_bytes=100_000)
EVENTS = "text/event-stream"
LINES = "application/x-ndjson"


@pytest.fixture(autouse=True)
def _bound_answers() -> None:
    watch_answers()


def ask(server: HostileServer, longest_s: float = PATIENCE_S) -> bytes:
    with bounded_call(BOUNDS, longest_s), httpx.Client(trust_env=False) as client:
        return client.get(server.url, timeout=PATIENCE_S).content


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(whole(head(), b"x" * 10_000), id="JSON"),
        pytest.param(whole(head(EVENTS), *[b"data: x\n\n" * 10] * 1_000), id="events"),
        pytest.param(whole(head(EVENTS), *[b"data: x\r\n\r\n" * 9] * 1_000), id="with CRLF"),
        pytest.param(whole(head(EVENTS), *[b"data: x\r", b"\r"] * 9_000), id="with CR, in pieces"),
        pytest.param(whole(head(LINES), *[b"{}\n" * 30] * 1_000), id="lines"),
        pytest.param(
            whole(head("application/vnd.amazon.eventstream"), b"x" * 99_000), id="binary frames"
        ),
    ],
)
def test_what_keeps_within_the_bounds_is_read(answer: MakeAnswer) -> None:
    with running_hostile_server(answer) as server:
        assert len(ask(server)) == sum(len(piece) for piece in answer()) - len(next(answer()))


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(endless(head(), b"x" * 100), id="JSON"),
        pytest.param(endless(head(EVENTS), b"data: x\n"), id="an event"),
        pytest.param(endless(head(EVENTS), b"data: x\n\n"), id="events"),
        pytest.param(endless(head(LINES), b"{},"), id="a line"),
        pytest.param(endless(head(LINES), b"{}\n"), id="lines"),
        pytest.param(endless(head(""), b"x"), id="no type"),
        pytest.param(endless(head("application/octet-stream"), b"x" * 999), id="another type"),
        pytest.param(
            whole(head(EVENTS, "Content-Encoding: br"), gzip.compress(b"x" * 100)), id="compressed"
        ),
    ],
)
def test_what_goes_beyond_them_is_cut_off(answer: MakeAnswer) -> None:
    with running_hostile_server(answer) as server:
        with pytest.raises(UnboundedAnswerError):
            ask(server)
        assert server.ended.wait(PATIENCE_S)
        assert server.request_count == 1


def test_nothing_is_asked_for_compressed_and_only_within_a_call() -> None:
    with running_hostile_server(whole(head(), gzip.compress(b"x"))) as server:
        request = httpx.Request("GET", server.url)
        with bounded_call(BOUNDS, PATIENCE_S), httpx.Client(trust_env=False) as client:
            client.send(request)
        assert request.headers["Accept-Encoding"] == "identity"
        answer = httpx.get(server.url, timeout=PATIENCE_S, trust_env=False)
        assert answer.request.headers["Accept-Encoding"] != "identity"
    assert connection_here() is None


@pytest.mark.parametrize("start", [b"HTTP/1.1 200 OK\r\nX-Slow: ", head(), head(EVENTS)])
def test_a_server_that_sends_a_byte_at_a_time_is_left_when_the_time_is_over(start: bytes) -> None:
    gone = threading.Event()

    def drip() -> Iterator[bytes]:
        yield start
        while not gone.wait(0.05):
            yield b"x"

    with running_hostile_server(drip) as server:
        began = time.monotonic()
        with pytest.raises((httpx.TransportError, OSError)):
            ask(server, longest_s=0.5)
        assert time.monotonic() - began < PATIENCE_S
        assert server.ended.wait(PATIENCE_S)
        gone.set()
