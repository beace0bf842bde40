"""Whose memory a program gets, and what it may do with it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import httpx2
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from tests.integration.web.conftest import Browser
from tests.integration.web.identity.test_identification import PROXY
from tests.integration.web.mcp.conftest import Memory

MARK = "Xylophagous"
TOKEN = "a-token-of-the-site"  # noqa: S105 - of a test


@pytest.fixture
def ada(make_browser: Callable[..., Browser]) -> Memory:
    return Memory(make_browser(**PROXY), {"X-Forwarded-User": "ada"})


def test_nobody_gets_what_is_anothers(ada: Memory) -> None:
    result = ada.call(
        "remember",
        text=f"I am {MARK}.",
        facts=[{"category": "identity", "key": "name", "value": MARK}],
    )
    bob = Memory(ada.browser, {"X-Forwarded-User": "bob"})
    [fact], note = result["facts"], result["note"]["uri"]
    uri = fact["fact"]["uri"]
    assert MARK not in str(bob.call("recall", question=f"Who is {MARK}?"))
    assert MARK not in str(bob.call("search", query=MARK))
    assert bob.call("list_facts", include_history=True)["facts"] == []
    for address in (uri, note):
        assert bob.fail("forget", uri=address, everywhere=True).endswith("(not_found)")
        with pytest.raises(MCPError, match="There is no such"):
            bob.use(lambda client: client.read_resource(address))  # noqa: B023
    assert bob.fail("correct", uri=uri, value="Mine").endswith("(not_found)")
    assert bob.use(lambda client: client.list_resources()).resources == []
    assert ada.call("list_facts")["facts"] == [fact["fact"]]


def test_a_program_shows_the_sites_token(make_browser: Callable[..., Browser]) -> None:
    browser = make_browser(local_token=TOKEN)
    memory = Memory(browser, {"Authorization": f"Bearer {TOKEN}"})
    memory.call("remember", text="Hello")


@pytest.mark.shares_sites
@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer wrong-token-of-mine"}])
def test_a_program_without_a_token_is_told_how_to_sign_in(
    make_browser: Callable[..., Browser], headers: dict[str, str]
) -> None:
    browser = make_browser(local_token=TOKEN)
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    answer = browser.client.post("/mcp", json=body, headers=headers)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    with pytest.raises((MCPError, httpx2.HTTPError, ExceptionGroup)):
        Memory(browser, headers).call("list_facts")


def make_token(browser: Browser, *scopes: str, user: str = "ada") -> tuple[int, Memory]:
    answer = browser.client.post(
        "/api/v1/tokens",
        json={"name": "a program", "scopes": list(scopes)},
        headers={"X-Forwarded-User": user},
    )
    assert answer.status_code == 201, answer.text
    token = answer.get_json()
    return token["token_id"], Memory(browser, {"Authorization": f"Bearer {token['token']}"})


def test_a_token_acts_for_its_user(ada: Memory) -> None:
    _, program = make_token(ada.browser, "memory:read", "memory:write")
    program.call("remember", text=f"I am {MARK}.")
    assert MARK in ada.call("recall", question=f"Who is {MARK}?")["memory"]


def test_a_token_that_may_read_changes_nothing(ada: Memory) -> None:
    [entry] = ada.call("remember", facts=[{"category": "identity", "key": "name", "value": MARK}])[
        "facts"
    ]
    _, reader = make_token(ada.browser, "memory:read")
    uri = entry["fact"]["uri"]
    for tool, arguments in {
        "remember": {"text": "Hello"},
        "correct": {"uri": uri, "value": "Mine"},
        "forget": {"uri": uri},
    }.items():
        message = reader.fail(tool, **arguments)
        assert message == "This needs the scope memory:write. (missing_scope)"
    assert reader.call("list_facts")["facts"] == [entry["fact"]]


def test_a_token_that_may_write_reads_nothing(ada: Memory) -> None:
    _, writer = make_token(ada.browser, "memory:write")
    writer.call("remember", text=f"I am {MARK}.")
    for tool, arguments in {
        "recall": {"question": "Who am I?"},
        "search": {"query": MARK},
        "list_facts": {},
    }.items():
        assert writer.fail(tool, **arguments).startswith("This needs the scope memory:read.")
    for ask in (
        lambda client: client.list_resources(),
        lambda client: client.read_resource("throughline://facts/1"),
        lambda client: client.get_prompt("with_memory", {"question": "Who am I?"}),
    ):
        with pytest.raises(MCPError, match="memory:read"):
            writer.use(ask)


def test_a_token_revoked_in_the_middle_opens_nothing_more(ada: Memory) -> None:
    token_id, program = make_token(ada.browser, "memory:read", "memory:write")

    async def use_twice(client: Client) -> str:
        await client.call_tool("remember", {"text": "One"})
        revoked = await asyncio.to_thread(
            ada.browser.client.delete,
            f"/api/v1/tokens/{token_id}",
            headers={"X-Forwarded-User": "ada"},
        )
        assert revoked.status_code == 204
        try:
            await client.call_tool("remember", {"text": "Two"})
        except MCPError as exc:
            return exc.error.message
        return "it went on"

    assert program.use(use_twice) != "it went on"
    assert len(ada.call("search", query="One Two")["messages"]) <= 1
