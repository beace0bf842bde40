"""Hundreds of odd requests, byte by byte, to the real server: no fault, nothing hidden served."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import httpx
import pytest

from tests.budgets import choose_seeds
from tests.e2e.server.odd_wires import HIDDEN_USER, OddWires
from tests.e2e.server.raw_http import connect
from tests.e2e.site import Site

SEEDS = choose_seeds(5, 7)
EACH = 300
REFUSALS = {501, 503}  # the only statuses from 500 on: an unknown coding, too many at once


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_comes_over_the_wire_is_answered_in_http_and_nothing_hidden_is_served(
    small_site: Site, seed: int
) -> None:
    faults = [
        f"{payload[:600]!r}: {fault}"
        for payload in islice(OddWires(seed), EACH)
        for fault in find_faults(payload, exchange(small_site.port, payload))
    ]
    assert not faults, "\n".join(faults)
    assert left_behind(small_site) == []
    log = small_site.log("web")()
    assert "crashed" not in log
    assert "Traceback" not in log


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


def exchange(port: int, payload: bytes) -> bytes:
    """All that comes back until the server hangs up."""
    with connect(port) as client:
        received = b""
        try:
            client.sendall(payload)
            client.shutdown(socket.SHUT_WR)
            while piece := client.recv(65_536):
                received += piece
        except (ConnectionResetError, BrokenPipeError):
            pass
        return received


def find_faults(payload: bytes, received: bytes) -> Iterator[str]:
    is_head = payload.startswith(b"HEAD ")
    try:
        answers = list(read_answers(received, is_head))
    except (ValueError, LookupError) as exc:
        yield f"no HTTP ({exc}): {received[:300]!r}"
        return
    for answer in answers:
        if answer.status == 101 or (answer.status >= 500 and answer.status not in REFUSALS):
            yield f"{answer.status} {answer.body[:200]!r}"
        if "evil" in answer.headers.get("location", "") or "set-cookie" in answer.headers:
            yield f"{answer.headers}"
        if answer.status >= 400 and not is_head and not is_ours(answer):
            yield f"{answer.status} in no form of ours: {answer.body[:200]!r}"


def is_ours(answer: Answer) -> bool:
    """An error in our JSON; of a page it may be HTML."""
    if answer.headers.get("content-type", "").startswith("text/html"):
        return True
    try:
        body = json.loads(answer.body)
        return {"code", "message"} <= set(body.get("error", ())) or {"code", "detail"} <= set(body)
    except (ValueError, LookupError):
        return False


def read_answers(received: bytes, is_head: bool) -> Iterator[Answer]:
    while received:
        head, _, received = received.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        version, status, _ = first.split(" ", 2)
        if version not in {"HTTP/1.0", "HTTP/1.1"}:
            raise ValueError(version)
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        if status == "100":
            continue
        if is_head:  # what cannot be read is refused with a body, whatever it began with
            body, received = b"", b"" if headers.get("connection") == "close" else received
        elif headers.get("transfer-encoding") == "chunked":
            body, received = take_chunks(received)
        else:
            length = int(headers.get("content-length", len(received)))
            if len(received) < length:
                raise ValueError("too short")
            body, received = received[:length], received[length:]
        yield Answer(int(status), headers, body)


def take_chunks(received: bytes) -> tuple[bytes, bytes]:
    body = b""
    while True:
        size, _, received = received.partition(b"\r\n")
        length = int(size, 16)
        body, received = body + received[:length], received[length + 2 :]
        if not length:
            return body, received


def left_behind(site: Site) -> list[object]:
    """What the user of the hidden requests has."""
    headers = {"X-Forwarded-User": HIDDEN_USER}
    answer = httpx.get(f"{site.url}/api/v1/conversations", headers=headers, timeout=60)
    conversations: list[object] = answer.raise_for_status().json()["conversations"]
    return conversations
