"""Many who follow, send and fetch at once: what one user may have, and what is left to others."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

import httpx
import pytest

from shared.settings import read_settings
from tests.e2e.server.conftest import LIVE_ROUNDS, THREADS
from tests.e2e.server.raw_http import connect, read_answer, request
from tests.e2e.site import NO_TLS, Site
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.refusals import code_of
from tests.waiting import PATIENCE_S, wait_for

OF_ONE_USER = read_settings(max_live_rounds=LIVE_ROUNDS).max_followers_per_user
IMPORTS_OF_ONE_USER = 2  # of a small site
LONG = Scripted(text="word " * 40, piece_delay_s=0.15)
ENDLESS = Scripted(text="word " * 400, piece_delay_s=0.15)
JSON = "Content-Type: application/json"


@contextmanager
def started(site: Site, user: str) -> Iterator[dict[str, Any]]:
    """A reply that is being written; the client that began it stays."""
    body = {"message": "Tell me a story.", "stream": True}
    headers = {"X-Forwarded-User": user}
    with httpx.stream(
        "POST", f"{site.url}/chat", json=body, headers=headers, timeout=PATIENCE_S, verify=NO_TLS
    ) as answer:
        lines = (line for line in answer.iter_lines() if line.startswith("data:"))
        yield json.loads(next(lines)[5:])


def hold(model: FakeOpenAI, times: int = 1) -> threading.Event:
    """The next replies wait after their first word until all who follow are there."""
    goes_on = threading.Event()
    model.script(*[replace(LONG, goes_on=goes_on)] * times)
    return goes_on


def stream_of(meta: dict[str, Any]) -> str:
    return f"/chat/{meta['conversation_id']}/{meta['sequence']}/stream"


def followers(
    stack: ExitStack, site: Site, meta: dict[str, Any], user: str, count: int
) -> list[socket.socket]:
    clients = [stack.enter_context(connect(site.port)) for _ in range(count)]
    for client in clients:
        client.sendall(request("GET", stream_of(meta), "Connection: close", user=user))
    for client in clients:
        assert client.recv(12, socket.MSG_PEEK) == b"HTTP/1.1 200"
    return clients


def read_all(client: socket.socket) -> bytes:
    return b"".join(iter(lambda: client.recv(65_536), b""))


def status(site: Site, path: str, user: str) -> int:
    headers = {"X-Forwarded-User": user}
    with httpx.stream("GET", site.url + path, headers=headers, timeout=60, verify=NO_TLS) as answer:
        return answer.status_code


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as exits:
        yield exits


def test_more_follow_to_the_end_than_there_are_threads_and_others_are_served(
    small_site: Site, model: FakeOpenAI, stack: ExitStack
) -> None:
    goes_on = hold(model, times=3)
    users = ["cal", "dan", "eve"]
    metas = [stack.enter_context(started(small_site, user)) for user in users]
    crowd = [
        client
        for user, meta in zip(users, metas, strict=True)
        for client in followers(stack, small_site, meta, user, OF_ONE_USER - 1)
    ]
    assert len(crowd) > THREADS
    assert status(small_site, "/api/v1/status", "fay") == 200
    goes_on.set()
    for client in crowd:
        received = read_all(client)
        assert b"event: done" in received
        assert received.count(b"word") >= 2 * 40  # in the pieces, and in the whole at the end


def test_one_user_follows_so_many_streams_and_no_more(
    small_site: Site, model: FakeOpenAI, stack: ExitStack
) -> None:
    model.script(ENDLESS, ENDLESS)
    meta = stack.enter_context(started(small_site, "gus"))
    crowd = followers(stack, small_site, meta, "gus", OF_ONE_USER - 1)
    headers = {"X-Forwarded-User": "gus"}
    refused = httpx.get(small_site.url + stream_of(meta), headers=headers, timeout=60)
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "3")
    assert code_of(refused) == "too_many_at_once"
    other = stack.enter_context(started(small_site, "hal"))
    assert status(small_site, stream_of(other), "hal") == 200
    for client in crowd:
        client.close()
    wait_for(lambda: status(small_site, stream_of(meta), "gus") == 200)
    stop(small_site, meta, "gus")
    stop(small_site, other, "hal")


def stop(site: Site, meta: dict[str, Any], user: str) -> None:
    path = f"/chat/{meta['conversation_id']}/{meta['sequence']}/stop"
    headers = {"X-Forwarded-User": user}
    httpx.post(site.url + path, json={}, headers=headers, timeout=60).raise_for_status()


def test_a_refused_stream_begins_no_round(
    small_site: Site, model: FakeOpenAI, stack: ExitStack
) -> None:
    model.script(ENDLESS)
    meta = stack.enter_context(started(small_site, "ian"))
    followers(stack, small_site, meta, "ian", OF_ONE_USER - 1)
    body, headers = {"message": "And this?", "stream": True}, {"X-Forwarded-User": "ian"}
    assert (
        httpx.post(f"{small_site.url}/chat", json=body, headers=headers, timeout=60).status_code
        == 429
    )
    listing = httpx.get(
        f"{small_site.url}/api/v1/conversations", headers=headers, timeout=60
    ).json()
    assert len(listing["conversations"]) == 1
    stop(small_site, meta, "ian")


def test_one_user_leaves_imports_to_others(small_site: Site, stack: ExitStack) -> None:
    more = (JSON, "Content-Length: 5000", "Expect: 100-continue")
    slow: list[socket.socket] = []
    for _ in range(IMPORTS_OF_ONE_USER):
        slow.append(stack.enter_context(connect(small_site.port)))
        slow[-1].sendall(request("POST", "/api/v1/imports", *more, user="jon"))
        assert read_answer(slow[-1]).status == 100
        for client in slow:
            client.sendall(b" " * 1000)  # so that none is cut off before the last one is there
    headers, other_headers = {"X-Forwarded-User": "jon"}, {"X-Forwarded-User": "kim"}
    refused = send_import(small_site, headers)
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "3")
    assert send_import(small_site, other_headers).status_code == 200
    for client in slow:
        assert code_of(read_answer(client)) == "broken_import"
    wait_for(lambda: send_import(small_site, headers).status_code == 200)


def send_import(site: Site, headers: dict[str, str]) -> httpx.Response:
    return httpx.post(f"{site.url}/api/v1/imports", json=[], headers=headers, timeout=60)
