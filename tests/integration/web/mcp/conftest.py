"""The SDK's own client, on the application in this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import httpx2
import pytest
from flask.testing import FlaskClient
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult, TextContent

from tests.integration.web.conftest import Browser

T = TypeVar("T")
Uses = Callable[[Client], Awaitable[T]]


class ThroughFlask(httpx2.AsyncBaseTransport):
    """Requests go to Flask's test client, each in a thread, as the site's own server does."""

    def __init__(self, client: FlaskClient) -> None:
        self._client = client

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        body = await request.aread()
        answer = await asyncio.to_thread(self._ask, request, body)
        return httpx2.Response(answer[0], headers=answer[1], content=answer[2], request=request)

    def _ask(self, request: httpx2.Request, body: bytes) -> tuple[int, list[Any], bytes]:
        answer = self._client.application.test_client().open(
            request.url.raw_path.decode(),
            method=request.method,
            headers=[(name, value) for name, value in request.headers.items()],
            data=body,
        )
        return answer.status_code, list(answer.headers), answer.data


@dataclass(frozen=True)
class Memory:
    """A program with the SDK's client, which acts for one user."""

    browser: Browser
    headers: Mapping[str, str] = field(default_factory=dict)
    #: `auto` asks for the newest revision; `legacy` begins with `initialize`.
    mode: str = "auto"

    def use(self, uses: Uses[T]) -> T:
        """Connect, use the client, and leave. Raises what the server answers as an error."""
        refusals: list[MCPError] = []

        async def run() -> T | None:
            async with self.connect() as client:
                try:
                    return await uses(client)
                except MCPError as exc:
                    refusals.append(exc)
            return None

        result = asyncio.run(run())
        if refusals:
            raise refusals[0]
        return result  # type: ignore[return-value]

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[Client]:
        async with httpx2.AsyncClient(
            transport=ThroughFlask(self.browser.client), headers=dict(self.headers)
        ) as http:
            transport = streamable_http_client("http://localhost/mcp", http_client=http)
            async with Client(transport, mode=self.mode) as client:
                yield client

    def call(self, tool: str, **arguments: object) -> Any:
        """The structured result of a call that succeeds."""
        result = self.use(lambda client: client.call_tool(tool, dict(arguments)))
        assert not result.is_error, text_of(result)
        return result.structured_content

    def fail(self, tool: str, **arguments: object) -> str:
        """What a call that fails says."""
        result = self.use(lambda client: client.call_tool(tool, dict(arguments)))
        assert result.is_error, text_of(result)
        return text_of(result)


def text_of(result: CallToolResult) -> str:
    [block] = result.content
    assert isinstance(block, TextContent)
    return block.text


@pytest.fixture
def memory(browser: Browser) -> Memory:
    return Memory(browser, {"X-Forwarded-User": browser.user_id})
