"""The API under `/api/v1`: its document, problems and cursors."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.integration.web.conftest import Browser
from web.api.operation import operation_of
from web.app import OPEN_ENDPOINTS

pytestmark = pytest.mark.newcomers


@pytest.fixture
def document(browser: Browser) -> dict[str, Any]:
    specification: dict[str, Any] = browser.get("/api/v1/openapi.json")
    return specification


def list_described(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [operation for path in document["paths"].values() for operation in path.values()]


def add_fact(browser: Browser, number: int) -> None:
    fact = {"category": "preference", "key": f"dish_{number:02}", "value": f"Soup {number}"}
    assert browser.client.post("/api/v1/facts", json=fact).status_code in {200, 201}


def read_all(
    browser: Browser, path: str, name: str, cursor: str | None = None
) -> list[dict[str, Any]]:
    page = browser.get(f"{path}&cursor={cursor}" if cursor else path)
    rest = page["next_cursor"]
    return page[name] + (read_all(browser, path, name, rest) if rest else [])


def test_every_address_is_an_operation(browser: Browser) -> None:
    app = browser.client.application
    others = [
        rule.rule
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/v1/")
        and rule.endpoint not in OPEN_ENDPOINTS
        and operation_of(app.view_functions[rule.endpoint]) is None
    ]
    assert others == []


def test_operations_have_names_of_their_own_and_known_tags(document: dict[str, Any]) -> None:
    described = list_described(document)
    names = [operation["operationId"] for operation in described]
    assert len(names) == len(set(names))
    tags = {tag["name"] for tag in document["tags"]}
    assert {tag for operation in described for tag in operation["tags"]} == tags
    assert all(operation["summary"] for operation in described)


def test_every_operation_declares_who_may_ask_and_how_it_fails(document: dict[str, Any]) -> None:
    for operation in list_described(document):
        assert {frozenset(entry) for entry in operation["security"]} == {
            frozenset({"token"}),
            frozenset({"session"}),
        }
        assert {"400", "401", "403", "429", "500", "503"} <= set(operation["responses"])


def test_a_problem_names_each_part_that_is_wrong(browser: Browser) -> None:
    body = {"category": "identity", "key": 5, "hobby": 1}
    answer = browser.client.post("/api/v1/facts", json=body)
    problem = answer.get_json()
    assert (answer.status_code, answer.mimetype) == (400, "application/problem+json")
    assert {error["pointer"] for error in problem["errors"]} == {"#/key", "#/value", "#/hobby"}
    assert problem["instance"] == "/api/v1/facts"
    known = {kind["type"] for kind in browser.get("/api/v1/problems")["problems"]}
    assert problem["type"] in known


@pytest.mark.parametrize(
    ("method", "path", "kind", "status"),
    [
        ("GET", "/api/v1/nowhere", None, 404),
        ("PUT", "/api/v1/facts", "application/json", 405),
        ("POST", "/api/v1/facts", "text/plain", 415),
        ("GET", "/api/v1/facts?limit=x", None, 400),
        ("GET", "/api/v1/facts?limit=1&limit=2", None, 400),
        ("GET", "/api/v1/facts?hobby=1", None, 400),
        ("DELETE", f"/api/v1/facts/{2**63}", None, 404),
    ],
)
def test_every_refusal_is_a_problem(
    browser: Browser, method: str, path: str, kind: str | None, status: int
) -> None:
    answer = browser.client.open(
        path, method=method, data="{}" if kind else None, content_type=kind
    )
    assert (answer.status_code, answer.mimetype) == (status, "application/problem+json")
    assert answer.get_json()["status"] == status
    if status == 405:
        assert "GET" in answer.headers["Allow"]


@pytest.mark.parametrize("path", ["/api/facts", "/api/import", "/operations.json"])
def test_there_is_one_form_of_the_api(browser: Browser, path: str) -> None:
    assert browser.client.get(path).status_code == 404


def test_pages_stay_right_while_entries_come_and_go(browser: Browser) -> None:
    for number in range(0, 20, 2):
        add_fact(browser, number)
    page = browser.get("/api/v1/facts?limit=4")
    assert [fact["key"] for fact in page["facts"]] == [f"dish_{n:02}" for n in (0, 2, 4, 6)]
    add_fact(browser, 1)  # before the place
    add_fact(browser, 9)  # after it
    browser.client.delete(f"/api/v1/facts/{page['facts'][-1]['fact_id']}")
    rest = read_all(browser, "/api/v1/facts?limit=4", "facts", page["next_cursor"])
    assert [fact["key"] for fact in rest] == [f"dish_{n:02}" for n in (8, 9, 10, 12, 14, 16, 18)]


def test_a_cursor_is_good_for_its_own_list_alone(browser: Browser) -> None:
    for number in range(3):
        add_fact(browser, number)
    cursor = browser.get("/api/v1/facts?limit=1")["next_cursor"]
    forged = [
        *(
            cursor[:at] + ("A" if cursor[at] != "A" else "B") + cursor[at + 1 :]
            for at in (0, 9, -2)
        ),
        cursor[:-1],
        "",
        "x",
        "é.ü",
    ]
    for text in forged:
        answer = browser.client.get("/api/v1/facts", query_string={"limit": 1, "cursor": text})
        assert answer.status_code == 400, text
    for path in ("/api/v1/facts?category=identity&", "/api/v1/facts/suggestions?"):
        assert browser.client.get(f"{path}cursor={cursor}").status_code == 400


def test_conversations_and_messages_are_read_page_by_page(browser: Browser) -> None:
    ids = [browser.chat(f"Hello {number}").get_json()["conversation_id"] for number in range(5)]
    conversations = read_all(browser, "/api/v1/conversations?limit=2", "conversations")
    assert [conversation["conversation_id"] for conversation in conversations] == ids[::-1]
    for number in range(3):
        browser.chat(f"More {number}", conversation_id=ids[0])
    path = f"/api/v1/conversations/{ids[0]}/messages?limit=3"
    numbers = [message["sequence_number"] for message in read_all(browser, path, "messages")]
    assert sorted(numbers) == list(range(8))


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    text = json.dumps(document)
    for kind, name in set(re.findall(r'"#/components/(\w+)/([^"]+)"', text)):
        assert name in document["components"][kind], name


def test_the_page_of_the_document_shows_every_operation(
    browser: Browser, document: dict[str, Any]
) -> None:
    answer = browser.client.get("/api/v1/docs")
    assert (answer.status_code, answer.mimetype) == (200, "text/html")
    assert "style=" not in answer.text
    assert "<script" not in answer.text
    for operation in list_described(document):
        assert f'<details id="{operation["operationId"]}">' in answer.text


@pytest.mark.parametrize("path", ["/api/v1/openapi.json", "/api/v1/docs"])
def test_the_document_and_its_page_are_kept_by_browsers_and_not_sent_again(
    browser: Browser, path: str
) -> None:
    first = browser.client.get(path, headers={"Accept-Encoding": "br"})
    assert first.headers["Cache-Control"] == "public, max-age=300"
    known = {"Accept-Encoding": "br", "If-None-Match": first.headers["ETag"]}
    again = browser.client.get(path, headers=known)
    assert (again.status_code, again.data) == (304, b"")


def test_whatever_a_client_says_the_document_is_written_once_and_its_page_once_a_look(
    browser: Browser,
) -> None:
    """Hosts, ports, languages and made-up cookies are a stranger's to choose."""
    for name in ("throughline-theme", "throughline-size", "throughline-language", "other"):
        browser.client.set_cookie(name, "made up")
    etags = {
        path: {
            browser.client.get(path, headers={"Host": f"localhost:{port}"} | odd).headers["ETag"]
            for port in (80, 8000, 65535)
            for odd in (
                {"Accept-Language": "ar"},
                {"Accept": "text/plain"},
            )
        }
        for path in ("/api/v1/openapi.json", "/api/v1/docs")
    }
    assert {path: len(tags) for path, tags in etags.items()} == {
        "/api/v1/openapi.json": 1,
        "/api/v1/docs": 1,
    }
    browser.client.set_cookie("throughline-theme", "dark")
    dark = browser.client.get("/api/v1/docs")
    assert 'data-theme="dark"' in dark.text
    assert dark.headers["ETag"] not in etags["/api/v1/docs"]
    assert "Cookie" in dark.vary


def test_other_methods_are_answered_as_http_says(browser: Browser) -> None:
    for path in ("/api/v1/facts", "/api/v1/conversations", "/api/v1/openapi.json"):
        read, head = browser.client.get(path), browser.client.head(path)
        assert (head.status_code, head.data, head.mimetype) == (200, b"", read.mimetype)
        options = browser.client.options(path)
        assert options.status_code == 200
        assert {"GET", "HEAD", "OPTIONS"} <= options.allow
        traced = browser.client.open(path, method="TRACE")
        assert (traced.status_code, traced.mimetype) == (405, "application/problem+json")
        assert "TRACE" not in traced.headers["Allow"]


def test_an_importance_too_near_to_nothing_is_stored_as_nothing(browser: Browser) -> None:
    fact = {"category": "preference", "key": "dish", "value": "Soup", "importance": 2.3e-102}
    answer = browser.client.post("/api/v1/facts", json=fact)
    assert (answer.status_code, answer.get_json()["importance"]) == (201, 0.0)
    path = f"/api/v1/facts/{answer.get_json()['fact_id']}"
    corrected = browser.client.patch(path, json={"importance": 1e-46})
    assert (corrected.status_code, corrected.get_json()["importance"]) == (200, 0.0)
