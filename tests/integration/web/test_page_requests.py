"""Everything that the page does, programs can do under `/api/v1`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.integration.web.conftest import Browser

pytestmark = pytest.mark.shares_sites

STATIC = Path(__file__).resolve().parents[3] / "web/static"
FOLDERS = ("js", "operations")
#: A function whose whole body is an address: `conversationPath`.
PATH_FUNCTION = re.compile(r"function (\w+Path)\([^)]*\) {\s*return `([^`]+)`;\s*}")
CONSTANT = re.compile(r"^const ([A-Z_]+) = ('/api/[^']*');$", re.MULTILINE)
SENT = re.compile(
    r"(?:sendJson|upload\.open|call\.open)\(\s*'([A-Z]+)',\s*(?:[`']([^`']+)[`']|(\w+Path\([^)]*\)))"
)
ADDRESS = re.compile(r"[`']((?:\$\{\w+Path\(|/api/|/chat)[^`']*)[`']")
VARIABLE = re.compile(r"\$\{[^{}]*\}")
LINK = re.compile(r'href="(/api/[^"]*)"')


@pytest.fixture
def document(browser: Browser) -> dict[str, Any]:
    specification: dict[str, Any] = browser.get("/api/v1/openapi.json")
    return specification


def read_scripts() -> Iterator[str]:
    for folder in FOLDERS:
        for path in sorted((STATIC / folder).rglob("*.js")):
            yield with_constants(path.read_text())


def with_constants(script: str) -> str:
    """Each named address written out where it is used."""
    for name, address in CONSTANT.findall(script):
        script = script.replace(f"${{{name}}}", address.strip("'"))
        script = re.sub(rf"(?<=[ (]){name}(?=[,)])", address, script)
    return script


def list_requests(script: str) -> Iterator[tuple[str, str]]:
    """Methods and addresses. `{}` stands for each part that varies.

    The method is "" where the address is put together before it is asked.
    """
    functions = dict(PATH_FUNCTION.findall(script))
    rest = PATH_FUNCTION.sub("", script)
    for method, literal, called in SENT.findall(rest):
        yield method, spell(literal or f"${{{called}}}", functions)
    for literal in ADDRESS.findall(SENT.sub("", rest)):
        yield "", spell(literal, functions)


def spell(literal: str, functions: dict[str, str]) -> str:
    for name, address in functions.items():
        plain = VARIABLE.sub("{}", address)
        literal = re.sub(rf"\$\{{{name}\([^)]*\)\}}", plain, literal)
    return VARIABLE.sub("{}", literal.partition("?")[0])


def test_every_request_of_the_page_is_an_operation_of_the_document(
    document: dict[str, Any],
) -> None:
    known = {
        (method.upper(), re.sub(r"\{\w+\}", "{}", path))
        for path, methods in document["paths"].items()
        for method in ("", *methods)
    }
    requests = {request for script in read_scripts() for request in list_requests(script)}
    assert len(requests) > 40
    unknown = [
        (method, path)
        for method, path in sorted(requests)
        if (method, path if path.startswith("/api/") else f"/api/v1{path}") not in known
    ]
    assert unknown == []


def test_every_link_of_the_page_to_data_is_an_operation(
    browser: Browser, document: dict[str, Any]
) -> None:
    linked = set(LINK.findall(browser.client.get("/").text))
    assert linked
    for path in linked:
        assert path in document["paths"], path
