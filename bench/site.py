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
            answer, failed = response.json(), not response.is_success
        except (httpx.HTTPError, ValueError) as exc:
            answer, failed = {"error": {"message": f"{type(exc).__name__}: {exc}"}}, True
        return Answer(
            conversation_id=answer.get("conversation_id", conversation_id),
            sequence=answer.get("sequence"),
            error=answer["error"]["message"] if failed else None,
            taken_ms=(time.perf_counter() - began) * 1000,
        )

    def list_messages(self, conversation_id: str) -> list[Json]:
        """All of them, oldest first."""
        path = f"/api/v1/conversations/{conversation_id}/messages"
        return [message for page in reversed(self._pages(path, "messages")) for message in page]

    def list_summaries(self, conversation_id: str) -> list[Json]:
        """The chain, oldest first, as far back as the site lists it."""
        pages = self._pages(f"/api/v1/conversations/{conversation_id}/summaries", "rows")
        return [row for page in pages for row in page][::-1]

    def list_episodes(self, conversation_id: str) -> list[Json]:
        """All of a conversation's, newest first."""
        path = f"/api/v1/episodes?conversation_id={conversation_id}"
        return [episode for page in self._pages(path, "episodes") for episode in page]

    def list_facts(self) -> list[Json]:
        """The user's active ones, from all conversations."""
        return [fact for page in self._pages("/api/v1/facts", "facts") for fact in page]

    def get_trace(self, conversation_id: str, sequence: int) -> Json:
        path = f"/api/v1/conversations/{conversation_id}/messages/{sequence}/trace"
        trace: Json = self._get(path)["trace"]
        return trace

    def list_jobs(self, conversation_id: str) -> list[Json]:
        """The newest of each kind and state."""
        jobs: list[Json] = self._get(f"/api/v1/conversations/{conversation_id}/jobs")["jobs"]
        return jobs

    def is_quiet(self, conversation_id: str) -> bool:
        """Nothing is left to summarise, and no job is queued or running."""
        memory = self._get(f"/api/v1/conversations/{conversation_id}/summaries?limit=1")
        waiting = any(
            job["state"] in ("queued", "running") for job in self.list_jobs(conversation_id)
        )
        return memory["gap"] is None and memory["processing"] is None and not waiting

    def _pages(self, path: str, name: str) -> list[list[Json]]:
        """The pages of a list, in the order in which they are read."""
        query, pages = f"{'&' if '?' in path else '?'}limit={PAGE}", []
        cursor: str | None = ""
        while cursor is not None:
            page = self._get(f"{path}{query}{cursor and f'&cursor={cursor}'}")
            pages.append(page[name])
            cursor = page["next_cursor"]
        return pages

    def _get(self, path: str) -> Json:
        body: Json = self._client.get(path).raise_for_status().json()
        return body


def wait_until(is_so: Callable[[], bool], limit_s: float, poll_s: float = POLL_S) -> bool:
    """False if it did not become true in time."""
    deadline = time.monotonic() + limit_s
    while not is_so():
        if time.monotonic() >= deadline:
            return False
        time.sleep(poll_s)
    return True
