"""The real site, asked by the SDK's client over HTTP and over standard input and output."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

import httpx
import pytest
from mcp import Client, StdioServerParameters
from mcp.server.lowlevel import Server
from mcp.types import CallToolResult, TextContent

from tests.e2e.site import ROOT, Site
from tests.waiting import wait_for
from web.mcp.site_client import SiteClient
from web.mcp.stdio import make_server

T = TypeVar("T")
NOWHERE = "http://127.0.0.1:9"


def over_http(site: Site) -> str:
    return f"{site.url}/mcp"


def over_stdio(environment: Mapping[str, str], *arguments: str) -> StdioServerParameters:
    variables = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return StdioServerParameters(
        command=str(ROOT / "bin" / "mcp"),
        args=list(arguments),
        env=variables | dict(environment),
        cwd="/",
    )


def use(
    server: str | StdioServerParameters | Server[Any], uses: Callable[[Client], Awaitable[T]]
) -> T:
    async def run() -> T:
        async with Client(server) as client:
            return await uses(client)

    return asyncio.run(run())


def text_of(result: CallToolResult) -> str:
    [block] = result.content
    assert isinstance(block, TextContent)
    return block.text


async def remember_and_recall(client: Client) -> tuple[list[str], str]:
    tools = (await client.list_tools()).tools
    note = await client.call_tool("remember", {"text": "My boat is called Xylophone."})
    assert not note.is_error, text_of(note)
    answer = await client.call_tool("recall", {"question": "What is my boat called?"})
    assert not answer.is_error, text_of(answer)
    assert answer.structured_content is not None
    return [tool.name for tool in tools], answer.structured_content["memory"]


@pytest.mark.parametrize("way", ["http", "stdio"])
def test_a_program_remembers_and_recalls(site: Site, way: str) -> None:
    server = over_http(site) if way == "http" else over_stdio(site.environment)
    tools, memory = use(server, remember_and_recall)
    assert tools == ["remember", "recall", "search", "list_facts", "correct", "forget"]
    assert "Xylophone" in memory


def test_facts_are_learned_from_a_note_in_the_background(site: Site) -> None:
    async def learn(client: Client) -> None:
        await client.call_tool("remember", {"text": "My favourite colour is turquoise."})

    use(over_http(site), learn)

    def is_learned() -> bool:
        return any(fact["value"] == "turquoise" for fact in site.get("/api/v1/facts")["facts"])

    wait_for(is_learned)


def test_a_program_shows_an_api_token_to_a_named_site(site: Site) -> None:
    token = site.post("/api/v1/tokens", {"name": "a program", "scopes": ["memory:read"]})["token"]
    server = over_stdio({"MCP_TOKEN": token}, site.url)

    async def uses(client: Client) -> tuple[CallToolResult, CallToolResult, Any]:
        return (
            await client.call_tool("list_facts", {}),
            await client.call_tool("remember", {"text": "Hello"}),
            await client.list_resources(),
        )

    listed, refused, resources = use(server, uses)
    assert not listed.is_error
    assert text_of(refused) == "This needs the scope memory:write. (missing_scope)"
    assert resources.resources is not None


def test_a_token_that_is_wrong_is_told_to_the_model(site: Site) -> None:
    server = make_server(SiteClient(site.url, "tl_" + "x" * 43))
    text = text_of(use(server, lambda client: client.call_tool("list_facts", {})))
    assert text == f"{site.url} refuses: There is no such API token. (HTTP 401)"


def test_a_site_that_is_away_is_told_to_the_model() -> None:
    server = make_server(SiteClient(NOWHERE, "tl_" + "x" * 43))
    text = text_of(use(server, lambda client: client.call_tool("list_facts", {})))
    assert text == f"{NOWHERE} cannot be reached. Is Throughline running there?"


def test_a_restart_of_the_site_is_not_noticed(site: Site) -> None:
    async def uses(client: Client) -> CallToolResult:
        await client.call_tool("remember", {"text": "Beforehand"})
        await asyncio.to_thread(site.kill, "web")
        await asyncio.to_thread(site.start, "web")
        return await client.call_tool("search", {"query": "Beforehand"})

    answer = use(over_http(site), uses)
    assert answer.structured_content is not None
    assert len(answer.structured_content["messages"]) == 1


def test_many_calls_at_once_are_all_answered(site: Site) -> None:
    async def uses(client: Client) -> list[CallToolResult]:
        calls = [client.call_tool("remember", {"text": f"Number {n}"}) for n in range(30)]
        calls += [client.call_tool("list_facts", {}) for _ in range(30)]
        return list(await asyncio.gather(*calls))

    assert [text_of(answer) for answer in use(over_http(site), uses) if answer.is_error] == []


def test_a_large_note_is_kept_whole(site: Site) -> None:
    text = "ö" * 100_000

    async def uses(client: Client) -> CallToolResult:
        return await client.call_tool("remember", {"text": text})

    answer = use(over_http(site), uses)
    assert answer.structured_content is not None
    _, _, _, conversation_id, _, sequence = answer.structured_content["note"]["uri"].split("/")
    page = site.get(f"/api/v1/conversations/{conversation_id}/messages?around={sequence}")
    assert text in [message["content"] for message in page["messages"]]


def test_a_client_that_wants_a_stream_gets_none(site: Site) -> None:
    answer = httpx.get(over_http(site), headers={"Accept": "text/event-stream"}, timeout=60)
    assert answer.status_code == 405
