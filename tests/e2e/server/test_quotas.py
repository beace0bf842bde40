"""Quotas over two real web processes, at every door, and what survives a crash and an empty Redis.

Each user of the site uses up one quota, so that the tests can share it.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import httpx
import redis

from tests.e2e.server.conftest import FOLLOWERS, REDIS_OF_PAIR, ROUNDS, SEARCHES, STORAGE
from tests.e2e.server.test_crowds import ENDLESS, followers, started
from tests.e2e.server.test_processes import serving
from tests.e2e.site import NO_TLS, Site
from tests.fakes.openai_json import FAKE_MODEL
from tests.fakes.openai_server import FakeOpenAI
from tests.refusals import code_of
from tests.services import Services
from tests.waiting import wait_for

MANY = 16  # requests at once, each on a connection of its own: they reach both processes
SAYS_MUCH = {"message": "x" * (STORAGE * 2 // 3)}  # one fits
HELLO = {"message": "Hello"}
CLIENT = {"model": FAKE_MODEL, "messages": [{"role": "user", "content": "Hello"}]}
RECALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "recall", "arguments": {"question": "Hello"}},
}
SEARCH = "/api/v1/search?q=hello"


def ask(site: Site, user: str, path: str, body: object = None, **headers: str) -> httpx.Response:
    """On a connection of its own."""
    all_headers = {
        "X-Forwarded-User": user,
        "Accept": "application/json, text/event-stream",
    } | headers
    method = "GET" if body is None else "POST"
    return httpx.request(
        method, site.url + path, json=body, headers=all_headers, timeout=60, verify=NO_TLS
    )


def at_once(work: Callable[[int], int]) -> list[int]:
    with ThreadPoolExecutor(MANY) as pool:
        return sorted(pool.map(work, range(MANY)))


def used(site: Site, user: str) -> dict[str, int]:
    quotas = ask(site, user, "/api/v1/me/quotas").json()["quotas"]
    return {quota["name"]: quota["used"] for quota in quotas}


def test_of_many_rounds_at_once_no_more_begin_than_are_left(pair: Site) -> None:
    assert at_once(lambda _: ask(pair, "ann", "/chat", HELLO).status_code) == [
        *[200] * ROUNDS,
        *[429] * (MANY - ROUNDS),
    ]
    assert used(pair, "ann")["rounds"] == ROUNDS
    refusals = {
        path: ask(pair, "ann", path, body)
        for path, body in (
            ("/chat", HELLO),
            ("/api/v1/chat", HELLO),
            ("/v1/chat/completions", CLIENT),
            ("/v1/responses", {"model": FAKE_MODEL, "input": "Hello"}),
        )
    }
    unstored = ask(pair, "ann", "/v1/chat/completions", CLIENT, **{"X-Memory": "off"})
    for answer in [*refusals.values(), unstored]:
        assert answer.status_code == 429, answer.text
        assert int(answer.headers["Retry-After"]) > 0
    assert code_of(refusals["/chat"]) == "quota_used_up"
    assert refusals["/api/v1/chat"].headers["Content-Type"] == "application/problem+json"
    assert refusals["/api/v1/chat"].json()["code"] == "quota_used_up"
    for path in ("/v1/chat/completions", "/v1/responses"):
        assert code_of(refusals[path]) == "insufficient_quota"
    assert used(pair, "ann")["rounds"] == ROUNDS


def test_searches_are_counted_at_every_door(pair: Site) -> None:
    assert at_once(lambda _: ask(pair, "sue", SEARCH).status_code).count(200) <= SEARCHES
    while ask(pair, "sue", SEARCH).status_code == 200:
        pass
    assert used(pair, "sue")["searches"] == SEARCHES
    refused = ask(pair, "sue", SEARCH)
    assert (refused.status_code, refused.json()["code"]) == (429, "quota_used_up")
    text = ask(pair, "sue", "/mcp", RECALL).text
    assert "quota_used_up" in text
    assert "Retry after" in text
    assert used(pair, "sue")["searches"] == SEARCHES


def test_tokens_and_storage_are_counted_in_both_processes(pair: Site) -> None:
    answers = at_once(lambda _: ask(pair, "tom", "/chat", SAYS_MUCH).status_code)
    assert answers == [200] + [429] * (MANY - 1)
    assert 0 < used(pair, "tom")["storage"] <= STORAGE
    assert used(pair, "tom")["rounds"] == 1
    refused = ask(pair, "tom", "/api/v1/chat", SAYS_MUCH)
    assert refused.headers["Retry-After"] == "3600"
    before = used(pair, "tom")["tokens"]
    assert ask(pair, "tom", "/chat", HELLO).status_code == 200
    assert used(pair, "tom")["tokens"] > before > 0


def test_an_empty_redis_brings_no_new_rounds(pair: Site, services: Services) -> None:
    while ask(pair, "kim", "/chat", HELLO).status_code == 200:
        pass
    address = services.valkey.url.replace("?db=0", f"?db={REDIS_OF_PAIR}")
    with redis.Redis.from_url(address) as client:
        client.flushdb()
    assert ask(pair, "kim", "/chat", HELLO).status_code == 429
    assert used(pair, "kim")["rounds"] == ROUNDS


def test_streams_of_a_killed_process_are_given_back(pair: Site, model: FakeOpenAI) -> None:
    """Last in this file: it kills a process, and gunicorn starts another."""
    model.script(ENDLESS)
    with started(pair, "zoe") as meta, ExitStack() as stack:
        followers(stack, pair, meta, "zoe", FOLLOWERS - 1)
        assert used(pair, "zoe")["followers"] == FOLLOWERS
        refused = ask(pair, "zoe", f"/chat/{meta['conversation_id']}/{meta['sequence']}/stream")
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "3")
        for pid in serving(pair.running["web"].pid):
            os.kill(int(pid), signal.SIGKILL)
        wait_for(lambda: len(serving(pair.running["web"].pid)) == 2, 60)
        wait_for(lambda: is_up(pair) and used(pair, "zoe")["followers"] == 0, 60)


def is_up(site: Site) -> bool:
    try:
        return ask(site, "zoe", "/healthz").status_code == 200
    except httpx.HTTPError:
        return False
