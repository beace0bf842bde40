"""An HTTP client of a running Throughline."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from shared.local_secrets import token_path
from shared.settings import read_settings

ROUND_LIMIT_S = 660  # above LLM_DEADLINE_S, so that the site is the one to give up
PAGE = 200
POLL_S = 0.5

Json = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """`sequence` is None if nothing was written, `error` if nothing failed."""

    conversation_id: str | None
    sequence: int | None
    error: str | None
    taken_ms: float


def local_headers() -> dict[str, str]:
    """The token of the site in this folder: `LOCAL_TOKEN`, or the one that it made."""
    path = token_path(read_settings().data_dir)
    token = os.environ.get("LOCAL_TOKEN") or (path.read_text().strip() if path.exists() else "")
    return {"Authorization": f"Bearer {token}"} if token else {}


class Site:
    """One client, one connection at a time."""

    def __init__(self, url: str, headers: Mapping[str, str] | None = None) -> None:
        self._client = httpx.Client(base_url=url, timeout=ROUND_LIMIT_S, headers=headers)

    def close(self) -> None:
        self._client.close()

    def send(self, text: str, conversation_id: str | None) -> Answer:
        """One round. Never raises: an error is in the answer."""
        body = {"message": text} | ({"conversation_id": conversation_id} if conversation_id else {})
        began = time.perf_counter()
        try:
            response = self._client.post("/chat", json=body)
            found, failed = response.json(), not response.is_success
        except (httpx.HTTPError, ValueError) as exc:
            found, failed = {"error": {"message": f"{type(exc).__name__}: {exc}"}}, True
        return Answer(
            conversation_id=found.get("conversation_id", conversation_id),
            sequence=found.get("sequence"),
            error=found["error"]["message"] if failed else None,
            taken_ms=(time.perf_counter() - began) * 1000,
        )

    def list_messages(self, conversation_id: str) -> list[Json]:
        """All of them, oldest first."""
        found: list[Json] = []
        while page := self._page(conversation_id, "messages", _first(found, "sequence_number")):
            found = page + found
            if found[0]["sequence_number"] == 0:
                break
        return found

    def list_summaries(self, conversation_id: str) -> list[Json]:
        """The chain, oldest first, as far back as the site lists it."""
        found: list[Json] = []
        while page := self._page(conversation_id, "memory", _first(found, "memory_id"), "rows"):
            known = {row["memory_id"] for row in found}
            older = [row for row in reversed(page) if row["memory_id"] not in known]
            if not older:
                break
            found = older + found
        return found

    def list_episodes(self, conversation_id: str) -> list[Json]:
        """All of a conversation's, newest first."""
        found: list[Json] = []
        more = ""
        while True:
            query = f"conversation_id={conversation_id}&limit=100{more}"
            page = self._get(f"/api/episodes?{query}")
            found += page["episodes"]
            if not page["next"]:
                return found
            more = f"&before={page['next']}"

    def list_facts(self) -> list[Json]:
        """The user's active ones, from all conversations."""
        facts: list[Json] = self._get("/api/facts")["facts"]
        return facts

    def get_trace(self, conversation_id: str, sequence: int) -> Json:
        path = f"/api/conversations/{conversation_id}/messages/{sequence}/trace"
        trace: Json = self._get(path)["trace"]
        return trace

    def list_jobs(self, conversation_id: str) -> list[Json]:
        """The newest of each kind and state."""
        jobs: list[Json] = self._get(f"/api/conversations/{conversation_id}/jobs")["jobs"]
        return jobs

    def is_quiet(self, conversation_id: str) -> bool:
        """Nothing is left to summarise, and no job is queued or running."""
        memory = self._get(f"/api/conversations/{conversation_id}/memory?limit=1")
        waiting = any(
            job["state"] in ("queued", "running") for job in self.list_jobs(conversation_id)
        )
        return memory["gap"] is None and memory["processing"] is None and not waiting

    def _page(
        self, conversation_id: str, what: str, before: int | None, key: str | None = None
    ) -> list[Json]:
        more = "" if before is None else f"&before={before}"
        path = f"/api/conversations/{conversation_id}/{what}?limit={PAGE}{more}"
        page: list[Json] = self._get(path)[key or what]
        return page

    def _get(self, path: str) -> Json:
        found: Json = self._client.get(path).raise_for_status().json()
        return found


def wait_until(is_so: Callable[[], bool], limit_s: float, poll_s: float = POLL_S) -> bool:
    """False if it did not become true in time."""
    deadline = time.monotonic() + limit_s
    while not is_so():
        if time.monotonic() >= deadline:
            return False
        time.sleep(poll_s)
    return True


def _first(rows: list[Json], column: str) -> int | None:
    return int(rows[0][column]) if rows else None
