"""Quotas over two real web processes, at every door, and what survives a crash and an empty Redis.

Each user of this site uses up one quota, so that the tests can share it.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import httpx
import pytest
import redis

from tests.e2e.conftest import environment_of
from tests.e2e.server.conftest import SETTINGS
from tests.e2e.server.test_crowds import ENDLESS, followers, started
from tests.e2e.server.test_processes import serving
from tests.e2e.site import Site, running_site
from tests.fakes.openai_server import FAKE_MODEL, FakeOpenAI
from tests.services import Services
from tests.waiting import wait_for

OWN_REDIS = 11
ROUNDS, SEARCHES, FOLLOWERS, STORAGE = 6, 5, 4, 4000
QUOTAS = {
    "QUOTA_ROUNDS_PER_DAY": str(ROUNDS),
    "QUOTA_SEARCHES_PER_DAY": str(SEARCHES),
    "QUOTA_TOKENS_PER_DAY": "2000",
    "QUOTA_STORAGE_BYTES": str(STORAGE),
    "MAX_FOLLOWERS_PER_USER": str(FOLLOWERS),
    "WEB_THREADS": "80",
    "MAX_LIVE_ROUNDS": "30",
    "MAX_LIVE_ROUNDS_PER_USER": "30",
    "WEB_CONCURRENCY": "2",
}
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
SEARCH = "/api/search?q=hello"


@pytest.fixture(scope="module")
def site(
    services: Services, model: FakeOpenAI, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    wired = {"LLM_MODEL": FAKE_MODEL, "LLM_API_BASE": model.base_url, "LLM_API_KEY": "k"}
    with services.databases.lend() as url:
        environment = environment_of(services, url, OWN_REDIS) | SETTINGS | wired | QUOTAS
        with running_site(environment, tmp_path_factory.mktemp("quotas"), "web") as running:
            assert len(serving(running.running["web"].pid)) == 2
            yield running


def ask(site: Site, user: str, path: str, body: object = None, **headers: str) -> httpx.Response:
    """On a connection of its own."""
    own = {"X-Forwarded-User": user, "Accept": "application/json, text/event-stream"} | headers
    method = "GET" if body is None else "POST"
    return httpx.request(method, site.url + path, json=body, headers=own, timeout=60)


def at_once(work: Callable[[int], int]) -> list[int]:
    with ThreadPoolExecutor(MANY) as pool:
        return sorted(pool.map(work, range(MANY)))


def used(site: Site, user: str) -> dict[str, int]:
    shown = ask(site, user, "/api/me/quotas").json()["quotas"]
    return {one["name"]: one["used"] for one in shown}


def test_of_many_rounds_at_once_no_more_begin_than_are_left(site: Site) -> None:
    assert at_once(lambda _: ask(site, "ann", "/chat", HELLO).status_code) == [
        *[200] * ROUNDS,
        *[429] * (MANY - ROUNDS),
    ]
    assert used(site, "ann")["rounds"] == ROUNDS
    refusals = {
        path: ask(site, "ann", path, body)
        for path, body in (
            ("/chat", HELLO),
            ("/api/v1/chat", HELLO),
            ("/v1/chat/completions", CLIENT),
            ("/v1/responses", {"model": FAKE_MODEL, "input": "Hello"}),
        )
    }
    unstored = ask(site, "ann", "/v1/chat/completions", CLIENT, **{"X-Memory": "off"})
    for answer in [*refusals.values(), unstored]:
        assert answer.status_code == 429, answer.text
        assert int(answer.headers["Retry-After"]) > 0
    assert refusals["/chat"].json()["error"]["code"] == "quota_used_up"
    assert refusals["/api/v1/chat"].headers["Content-Type"] == "application/problem+json"
    assert refusals["/api/v1/chat"].json()["code"] == "quota_used_up"
    for path in ("/v1/chat/completions", "/v1/responses"):
        assert refusals[path].json()["error"]["code"] == "insufficient_quota"
    assert used(site, "ann")["rounds"] == ROUNDS


def test_searches_are_counted_at_every_door(site: Site) -> None:
    assert at_once(lambda _: ask(site, "sue", SEARCH).status_code).count(200) <= SEARCHES
    while ask(site, "sue", SEARCH).status_code == 200:
        pass
    assert used(site, "sue")["searches"] == SEARCHES
    refused = ask(site, "sue", f"/api/v1{SEARCH.removeprefix('/api')}")
    assert (refused.status_code, refused.json()["code"]) == (429, "quota_used_up")
    told = ask(site, "sue", "/mcp", RECALL).text
    assert "quota_used_up" in told
    assert "Retry after" in told
    assert used(site, "sue")["searches"] == SEARCHES


def test_tokens_and_storage_are_counted_in_both_processes(site: Site) -> None:
    answers = at_once(lambda _: ask(site, "tom", "/chat", SAYS_MUCH).status_code)
    assert answers == [200] + [429] * (MANY - 1)
    assert 0 < used(site, "tom")["storage"] <= STORAGE
    assert used(site, "tom")["rounds"] == 1
    refused = ask(site, "tom", "/api/v1/chat", SAYS_MUCH)
    assert refused.headers["Retry-After"] == "3600"
    before = used(site, "tom")["tokens"]
    assert ask(site, "tom", "/chat", HELLO).status_code == 200
    assert used(site, "tom")["tokens"] > before > 0


def test_an_empty_redis_brings_no_new_rounds(site: Site, services: Services) -> None:
    while ask(site, "kim", "/chat", HELLO).status_code == 200:
        pass
    address = services.valkey.url.replace("?db=0", f"?db={OWN_REDIS}")
    redis.Redis.from_url(address).flushdb()
    assert ask(site, "kim", "/chat", HELLO).status_code == 429
    assert used(site, "kim")["rounds"] == ROUNDS


def test_streams_of_a_killed_process_are_given_back(site: Site, model: FakeOpenAI) -> None:
    """Last in this file: it kills a process, and gunicorn starts another."""
    model.script(ENDLESS)
    with started(site, "zoe") as meta, ExitStack() as stack:
        followers(stack, site, meta, "zoe", FOLLOWERS - 1)
        assert used(site, "zoe")["followers"] == FOLLOWERS
        refused = ask(site, "zoe", f"/chat/{meta['conversation_id']}/{meta['sequence']}/stream")
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "3")
        for pid in serving(site.running["web"].pid):
            os.kill(int(pid), signal.SIGKILL)
        wait_for(lambda: len(serving(site.running["web"].pid)) == 2, 60)
        wait_for(lambda: is_up(site) and used(site, "zoe")["followers"] == 0, 60)


def is_up(site: Site) -> bool:
    try:
        return ask(site, "zoe", "/healthz").status_code == 200
    except httpx.HTTPError:
        return False
