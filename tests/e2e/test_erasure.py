"""Erased is erased: a real site at work, deletions in its midst, a search of all that it has."""

from __future__ import annotations

import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import redis
from psycopg2 import connect

from supervisor.embedded.valkey import Valkey
from tests.e2e.conftest import MakeSite
from tests.e2e.site import Site
from tests.integration.user_data.erasure.scanning import (
    find_in_files,
    find_in_redis,
    find_in_statistics,
    find_in_tables,
)
from tests.services import Services, owner_url
from tests.waiting import PATIENCE_S, wait_for

MARK = "Zinnober"


def places(site: Site, valkey: Valkey, folder: Path) -> list[str]:
    """Where the word stands: tables, statistics, keys, and files of Valkey and the site.

    Files of Valkey keep it longest. As long as they do, the others are not looked at.
    """
    word = MARK.lower()
    if findings := find_in_files(valkey.data_folder, word):
        return findings
    with closing(connect(owner_url(site.environment["DATABASE_URL"]))) as connection:
        connection.cursor().execute("ANALYZE")
        findings = find_in_tables(connection, word) + find_in_statistics(connection, word)
    client = redis.Redis.from_url(site.environment["REDIS_URL"], decode_responses=True)
    with client:
        findings += find_in_redis(client, word)
    return findings + find_in_files(folder, word)


def test_nothing_is_left_of_a_message_a_fact_and_a_user(
    make_site: MakeSite, services: Services, tmp_path: Path
) -> None:
    site = make_site("web", "worker-llm", "worker-embed", "beat", MEMORY_WINDOW_LIMIT="2")
    conversation_id = site.chat(f"My boat is called {MARK}.")["conversation_id"]
    for text in ("How do tides work?", "And why twice a day?"):
        site.chat(text, conversation_id)
    wait_for(lambda: site.get("/api/v1/facts")["facts"])
    site.chat("What is my boat called?")
    assert site.get(f"/api/v1/search?q={MARK}")["messages"]

    def look() -> Any:
        return places(site, services.valkey, tmp_path)

    wait_for(lambda: any(name.endswith(".aof") for name in look()))
    fact = site.get("/api/v1/facts")["facts"][0]["fact_id"]
    path = f"{site.url}/api/v1/facts/{fact}?everywhere=true"
    assert httpx.delete(path, timeout=PATIENCE_S).status_code == 200
    wait_for(lambda: not look(), 60)
    past = [{"title": MARK, "messages": [{"role": "user", "content": f"Of {MARK}."}] * 4}] * 3
    site.post("/api/v1/imports", past)
    talkers = [threading.Thread(target=talk, args=(site, number)) for number in range(4)]
    for talker in talkers:
        talker.start()
    wait_for(look)
    for talker in talkers:
        talker.join()
    gone = httpx.request(
        "DELETE", f"{site.url}/api/v1/me", json={"confirm": "local"}, timeout=PATIENCE_S
    )
    assert gone.json()["counts"]["messages"] > 0
    wait_for(lambda: not look(), 90)
    assert site.chat("Hello again")["reply"]


def talk(site: Site, number: int) -> None:
    site.chat(f"My {MARK} number {number} is red.")
