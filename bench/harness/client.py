"""An HTTP client of a running Throughline."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import httpx

ROUND_LIMIT_S = 660  # above LLM_DEADLINE_S, so that the site is the one to give up

Json = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """`sequence` is None if nothing was written, `error` if nothing failed."""

    conversation_id: str | None
    sequence: int | None
    error: str | None
    taken_ms: float


class Client:
    """One connection at a time."""

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
        messages = self._list(f"/api/v1/conversations/{conversation_id}/messages", "messages")
        return sorted(messages, key=lambda message: message["sequence_number"])

    def list_facts(self) -> list[Json]:
        """The user's active ones, from all conversations."""
        return list(self._list("/api/v1/facts", "facts"))

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

    def _list(self, path: str, name: str) -> Iterator[Json]:
        """Page after page."""
        cursor: str | None = ""
        while cursor is not None:
            page = self._get(f"{path}?limit=200{cursor and f'&cursor={cursor}'}")
            yield from page[name]
            cursor = page["next_cursor"]

    def _get(self, path: str) -> Json:
        body: Json = self._client.get(path).raise_for_status().json()
        return body
