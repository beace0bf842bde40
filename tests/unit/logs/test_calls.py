"""Every call that logs, read from the source: a constant event, and fields that name no text."""

from __future__ import annotations

import ast
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.logs.formatters import RESERVED

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = ("shared", "web", "workers", "supervisor", "migrations", "throughline")
DIRECT = "logging.getLogger(__name__)"
LOGGER = re.compile(r"\blog(ger|ging)?\b")  # in each file that logs; to parse all takes a second
METHODS = {"debug", "info", "warning", "error", "exception", "critical"}
EVENT = re.compile(r"[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*")  # noun.what_happened
# Lines whose words the product's own specification gives.
SPECIFIED = {
    "Already in progress or done: %s %s",
    "No new messages to summarize for %s",
    "Sliding window: dropping seq 0-%s for %s",
    "Status updated: %s %s completed",
    "Summarized messages %s-%s for %s in %sms",
}
# The record's own attributes, and what a line has in any case.
TAKEN = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", *RESERVED}
TEXTS = {"answer", "content", "prompt", "query", "question", "said", "text", "title", "user"}


def is_log_call(call: ast.Call) -> bool:
    return (
        isinstance(call.func, ast.Attribute)
        and call.func.attr in METHODS
        and ast.unparse(call.func.value) in {"logger", "log", "logging", DIRECT}
    )


Calls = list[tuple[str, ast.Call, ast.Module]]


@pytest.fixture(scope="module")
def calls() -> Calls:
    """Read where they are shown, not by each process that collects tests, and forgotten then."""
    return list(find_log_calls())


def find_log_calls() -> Iterator[tuple[str, ast.Call, ast.Module]]:
    """The place of each call, the call, and its file."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            source = path.read_text()
            if not LOGGER.search(source):
                continue
            tree = ast.parse(source)
            nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
            for call in filter(is_log_call, nodes):
                yield f"{path.relative_to(ROOT)}:{call.lineno}", call, tree


def event_of(call: ast.Call) -> str:
    first = call.args[0]
    assert isinstance(first, ast.Constant), f"no constant: {ast.unparse(call)}"
    return str(first.value)


def dicts_named(name: str, tree: ast.Module) -> Iterator[ast.Dict]:
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Dict)
            and ast.unparse(node.targets[0]) == name
        ):
            yield node.value


def field_names(place: str, call: ast.Call, tree: ast.Module) -> set[str]:
    names = set()
    for extra in [keyword.value for keyword in call.keywords if keyword.arg == "extra"]:
        dicts = (
            [extra] if isinstance(extra, ast.Dict) else list(dicts_named(ast.unparse(extra), tree))
        )
        assert dicts, f"{place}: the fields are written where they are logged"
        keys = [key for fields in dicts for key in fields.keys if key is not None]
        assert all(isinstance(key, ast.Constant) for key in keys), place
        names |= {str(key.value) for key in keys if isinstance(key, ast.Constant)}
    return names


def test_there_are_calls_that_log(calls: Calls) -> None:
    assert len(calls) > 30


def test_an_event_is_a_constant_of_one_form(calls: Calls) -> None:
    for place, call, _ in calls:
        event = event_of(call)
        if event not in SPECIFIED:
            assert EVENT.fullmatch(event), place
            assert len(call.args) == 1, f"{place}: values are fields"
        assert {keyword.arg for keyword in call.keywords} <= {"extra", "exc_info"}, place


def test_a_field_has_a_name_of_its_own_and_holds_no_text(calls: Calls) -> None:
    for place, call, tree in calls:
        assert not field_names(place, call, tree) & (TAKEN | TEXTS), place


def test_the_operators_are_told_what_an_event_means(calls: Calls) -> None:
    events = {event_of(call) for _, call, _ in calls} - SPECIFIED
    explained = (ROOT / "docs/operations.md").read_text()
    assert {event for event in events if f"`{event}`" not in explained} == set()


def test_the_lines_of_the_specification_are_logged(calls: Calls) -> None:
    assert {event_of(call) for _, call, _ in calls} >= SPECIFIED
