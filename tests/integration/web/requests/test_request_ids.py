"""The id of a request: the proxy's or one of our own; in its answer and on its log lines."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest

from shared.logs.formatters import JsonFormatter
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.web.conftest import Browser

pytestmark = pytest.mark.shares_sites

GIVEN = "0123456789abcdef0123456789abcdef"


class Written(logging.Handler):
    """Lines as they are formatted where they are logged."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[dict[str, Any]] = []
        self.setFormatter(JsonFormatter())

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(json.loads(self.format(record)))

    def line(self, event: str) -> dict[str, Any]:
        [line] = [entry for entry in self.lines if entry["event"] == event]
        return line


@pytest.fixture
def log_lines() -> Iterator[Written]:
    handler = Written()
    logger = logging.getLogger("shared")
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield handler
    logger.setLevel(before)
    logger.removeHandler(handler)


def id_answered(browser: Browser, *request_ids: str) -> str:
    headers = [("X-Request-Id", value) for value in request_ids]
    answer = browser.client.get("/healthz", headers=headers)
    [request_id] = answer.headers.getlist("X-Request-Id")
    return request_id


@pytest.mark.parametrize("request_id", [GIVEN, "c7c8b2a0-54a5-4b1e-8a4f-0d9f3a1e2b3c"])
def test_a_well_formed_id_is_taken(browser: Browser, request_id: str) -> None:
    assert id_answered(browser, request_id) == request_id


@pytest.mark.parametrize(
    "request_ids", [(), ("",), ("short",), ("Zinnober" * 4,), ("a" * 65,), (GIVEN, GIVEN)]
)
def test_what_is_no_id_is_replaced_by_one(browser: Browser, request_ids: tuple[str, ...]) -> None:
    assert re.fullmatch(r"[0-9a-f]{32}", id_answered(browser, *request_ids)) is not None
    assert id_answered(browser, *request_ids) != id_answered(browser, *request_ids)


def test_an_error_is_answered_with_the_id_too(browser: Browser) -> None:
    answer = browser.client.get("/nowhere", headers={"X-Request-Id": GIVEN})
    assert (answer.status_code, answer.headers["X-Request-Id"]) == (404, GIVEN)


def test_the_lines_of_a_round_name_its_request_and_its_conversation(
    wired: Browser, openai_server: FakeOpenAI, log_lines: Written
) -> None:
    openai_server.script(Scripted(status=500, error="no"))
    answer = wired.client.post("/chat", json={"message": "x"}, headers={"X-Request-Id": GIVEN})
    [conversation] = wired.get("/api/v1/conversations")["conversations"]
    line = log_lines.line("model.call_failed")
    assert line["request_id"] == answer.headers["X-Request-Id"] == GIVEN
    assert line["conversation_id"] == conversation["conversation_id"]
    assert line["sequence"] == 1
