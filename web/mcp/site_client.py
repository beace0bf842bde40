"""A site's `/mcp`, asked over HTTP on behalf of a program that speaks over standard input."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, TypeVar

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.types import INTERNAL_ERROR, Request, Result

# A search or a recall takes seconds at most; a busy site may take longer.
TIMEOUT_S = 60
MAX_REASON_CHARS = 300

R = TypeVar("R", bound=Result)


@dataclass
class _Failures:
    """What went wrong while the SDK asked. Its own errors do not say why."""

    refusals: list[MCPError] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)

    async def note(self, response: httpx2.Response) -> None:
        """A hook of the HTTP client: keep what the site says about a request that it refuses."""
        if response.status_code >= 400:
            self.reasons.append(_reason_of(response.status_code, await response.aread()))


@dataclass(frozen=True)
class SiteClient:
    """`url` is the site's, without `/mcp`."""

    url: str
    token: str | None

    async def ask(self, request: Request[Any, Any], result: type[R]) -> R:
        """Ask the site. Raises `MCPError` with a sentence that says what to do.

        Each request connects anew, so that a site that restarts is not noticed.
        """
        failures = _Failures()
        try:
            answer = await self._ask(request, result, failures)
        except Exception as exc:  # the SDK's task groups wrap what the network raises
            raise MCPError(code=INTERNAL_ERROR, message=self._explain(failures)) from exc
        if answer is not None:
            return answer
        if failures.reasons:
            raise MCPError(code=INTERNAL_ERROR, message=self._explain(failures))
        raise failures.refusals[0]

    async def _ask(
        self, request: Request[Any, Any], result: type[R], failures: _Failures
    ) -> R | None:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        hooks = {"response": [failures.note]}
        async with httpx2.AsyncClient(
            headers=headers, timeout=TIMEOUT_S, event_hooks=hooks
        ) as http:
            transport = streamable_http_client(f"{self.url}/mcp", http_client=http)
            async with Client(transport) as client:
                try:
                    return await client.session.send_request(request, result)
                except MCPError as exc:
                    failures.refusals.append(exc)
        return None

    def _explain(self, failures: _Failures) -> str:
        if failures.reasons:
            return f"{self.url} refuses: {failures.reasons[-1]}"
        return f"{self.url} cannot be reached. Is Throughline running there?"


def _reason_of(status: int, body: bytes) -> str:
    """The sentence of the site's error, or its status."""
    try:
        message = json.loads(body)["error"]["message"]
    except (ValueError, KeyError, TypeError):
        return f"HTTP {status}"
    return f"{str(message)[:MAX_REASON_CHARS]} (HTTP {status})"
