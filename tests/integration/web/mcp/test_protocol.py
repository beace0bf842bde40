"""The protocol itself: revisions, definitions, and requests that are none."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp.types import ListToolsResult
from werkzeug.test import TestResponse

from tests.budgets import count_cases
from tests.integration.web.conftest import Browser, MakeBrowser
from tests.integration.web.mcp.conftest import Memory

pytestmark = pytest.mark.shares_sites

ACCEPT = {"Accept": "application/json, text/event-stream"}
MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


def post(browser: Browser, body: object, **headers: str) -> TestResponse:
    data = body if isinstance(body, (bytes, str)) else json.dumps(body)
    base_headers = ACCEPT | {"Content-Type": "application/json"}
    extra_headers = {name.replace("_", "-"): value for name, value in headers.items()}
    return browser.client.post("/mcp", data=data, headers=base_headers | extra_headers)


def ask(method: str, **params: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def tools_of(memory: Memory) -> ListToolsResult:
    return memory.use(lambda client: client.list_tools())


@pytest.mark.parametrize("mode", ["auto", "legacy", "2026-07-28"])
def test_clients_of_every_revision_can_remember_and_recall(
    make_newcomer: MakeBrowser, mode: str
) -> None:
    browser = make_newcomer()
    memory = Memory(browser, {"X-Forwarded-User": browser.user_id}, mode)
    memory.call("remember", text="My boat is called Xylophone.")
    assert "Xylophone" in memory.call("recall", question="What is my boat called?")["memory"]


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_the_handshake_agrees_on_the_clients_revision(browser: Browser, version: str) -> None:
    request = ask(
        "initialize",
        protocolVersion=version,
        capabilities={},
        clientInfo={"name": "test", "version": "1"},
    )
    result = post(browser, request).get_json()["result"]
    assert result["protocolVersion"] == version
    assert set(result["capabilities"]) == {"tools", "resources", "prompts"}
    assert "recall" in result["instructions"]


def test_every_tool_has_a_description_schemas_and_hints(memory: Memory) -> None:
    for tool in tools_of(memory).tools:
        assert tool.title, tool.name
        assert tool.description, tool.name
        assert tool.output_schema, tool.name
        assert tool.annotations is not None, tool.name
        for schema in (tool.input_schema, tool.output_schema):
            jsonschema.Draft202012Validator.check_schema(schema)
            assert schema["additionalProperties"] is False


def test_hints_tell_reading_from_changing_from_deleting(memory: Memory) -> None:
    hints = {tool.name: tool.annotations for tool in tools_of(memory).tools}
    assert {name for name, hint in hints.items() if hint and hint.read_only_hint} == {
        "recall", "search", "list_facts",
    }  # fmt: skip
    assert {name for name, hint in hints.items() if hint and hint.destructive_hint} == {"forget"}


def test_the_server_speaks_only_when_asked(browser: Browser) -> None:
    """The specification answers 405 to the requests for streams and sessions."""
    for method in ("GET", "DELETE"):
        answer = browser.client.open("/mcp", method=method, headers=ACCEPT)
        assert answer.status_code == 405, method


def test_a_notification_is_accepted_without_an_answer(browser: Browser) -> None:
    answer = post(browser, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert (answer.status_code, answer.data) == (202, b"")


def test_answers_keep_the_sites_headers(browser: Browser) -> None:
    answer = post(browser, ask("ping"))
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Request-Id"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://elsewhere.example"}, 403),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Host": "elsewhere.example"}, 400),
        ({"Content_Type": "text/plain"}, 400),
        ({"Accept": "text/html"}, 406),
        ({"MCP_Protocol_Version": "1999-01-01"}, 400),
        ({"Origin": "http://localhost"}, 200),
    ],
)
def test_requests_of_other_sites_and_forms_are_refused(
    browser: Browser, headers: dict[str, str], status: int
) -> None:
    assert post(browser, ask("tools/list"), **headers).status_code == status


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"null", b"7", b'"x"', b"[]", b"{}", b"\xff\xfe", b"[" * 100_000,
        b'{"jsonrpc": "2.0", "id": 1}', b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": ' + b"9" * 5000,
        b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]',
        b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}',
    ],
)  # fmt: skip
def test_bodies_that_are_no_message_are_refused(browser: Browser, body: bytes) -> None:
    for headers in ({}, {"MCP-Protocol-Version": "2026-07-28"}):
        assert post(browser, body, **headers).status_code == 400, body[:40]


@pytest.mark.parametrize("request_id", [None, 1.5, True, [1], {}])
def test_a_request_with_an_unusable_id_is_refused_and_not_carried_out(
    memory: Memory, request_id: object
) -> None:
    call = ask("tools/call", name="remember", arguments={"text": "I live in Lisbon."})
    answer = post(memory.browser, call | {"id": request_id})
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (400, -32600)
    assert memory.browser.get("/api/v1/conversations")["conversations"] == []


def test_a_body_that_is_too_long_is_refused(browser: Browser) -> None:
    body = ask("tools/call", name="remember", arguments={"text": "x" * 3_000_000})
    assert post(browser, body).status_code == 413


@pytest.mark.parametrize("method", ["sampling/createMessage", "nonsense", "subscriptions/listen"])
def test_an_unknown_method_is_an_error_of_the_protocol(browser: Browser, method: str) -> None:
    answer = post(browser, ask(method)).get_json()
    assert answer["error"]["code"] in {-32601, -32602}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=8,
)
NAMES = ("remember", "recall", "search", "list_facts", "correct", "forget", "x")
FIELDS = ("text", "facts", "question", "query", "uri", "cursor", "as_of", "limit", "value", "_")
CALLS = st.fixed_dictionaries(
    {
        "name": st.sampled_from(NAMES) | VALUES,
        "arguments": st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=4) | VALUES,
    }
)
METHODS = st.sampled_from(
    ("tools/call", "tools/list", "resources/list", "resources/read", "prompts/get", "ping", "")
)


@settings(
    max_examples=count_cases(80),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(METHODS, CALLS | VALUES, st.booleans())
def test_no_message_breaks_the_server(
    make_newcomer: MakeBrowser, method: str, params: Any, is_modern: bool
) -> None:
    browser = make_newcomer()
    if is_modern and isinstance(params, dict):
        params = params | {"_meta": MODERN}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    headers = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method} if is_modern else {}
    answer = post(browser, body, **headers)
    assert answer.status_code < 500, (body, answer.text)
    assert "Something went wrong" not in answer.text, body
