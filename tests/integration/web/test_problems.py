"""What goes wrong under `/api/v1` is told as a problem (RFC 9457), never as HTML."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pytest
from werkzeug.test import TestResponse

from tests.integration.web.conftest import Browser, MakeBrowser

pytestmark = pytest.mark.shares_sites

MARK = "Xylophagous"  # what a user wrote: no problem repeats it
JSON = "application/json"
NOBODY_THERE = "postgresql://nobody@127.0.0.1:1/none"


@dataclass(frozen=True, kw_only=True)
class Wrong:
    """A request, and the status that it is refused with."""

    status: int
    method: str = "POST"
    path: str = "/api/v1/facts"
    body: str | None = None
    kind: str | None = JSON
    headers: Mapping[str, str] = field(default_factory=dict)


WRONG = {
    "an unknown address": Wrong(status=404, method="GET", path=f"/api/v1/{MARK}", kind=None),
    "the bare prefix": Wrong(status=404, method="GET", path="/api/v1", kind=None),
    "an id that is none": Wrong(status=404, method="DELETE", path=f"/api/v1/facts/{MARK}"),
    "an unknown method": Wrong(status=405, method="PUT", body="{}"),
    "a body that is too large": Wrong(status=413, body=json.dumps({"value": "x" * 2_000_000})),
    "a body of another type": Wrong(status=415, body=MARK, kind="text/plain"),
    "no body, and no type": Wrong(status=415, body="", kind=None),
    "broken JSON": Wrong(status=400, body=f'{{"value": "{MARK}'),
    "JSON that is no object": Wrong(status=400, body=f'["{MARK}"]'),
    "an unknown field": Wrong(status=400, body=json.dumps({MARK.lower(): MARK})),
    "a value of another kind": Wrong(status=400, body=json.dumps({"category": MARK})),
    "an argument twice": Wrong(
        status=400, method="GET", path=f"/api/v1/search?q={MARK}&q=b", kind=None
    ),
    "a bad key": Wrong(status=400, body="{}", headers={"Idempotency-Key": "a b"}),
    "an expectation": Wrong(status=417, body="{}", headers={"Expect": MARK}),
    "another site": Wrong(status=403, body="{}", headers={"Origin": "https://evil.example"}),
    "an unknown token": Wrong(status=401, headers={"Authorization": f"Bearer tl_{MARK}"}),
    "another name of the site": Wrong(status=400, headers={"Host": "evil.example"}),
}


def ask(browser: Browser, wrong: Wrong) -> TestResponse:
    return browser.client.open(
        wrong.path,
        method=wrong.method,
        data=wrong.body,
        content_type=wrong.kind,
        headers=dict(wrong.headers),
    )


def check_problem(answer: TestResponse, status: int) -> None:
    assert (answer.status_code, answer.mimetype) == (status, "application/problem+json")
    problem = answer.get_json()
    assert {"type", "title", "status", "detail", "instance", "code"} <= set(problem)
    assert problem["status"] == status
    assert problem["type"] == f"/api/v1/problems#{problem['code']}"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_a_problem_without_the_users_text(browser: Browser, what: str) -> None:
    wrong = WRONG[what]
    answer = ask(browser, wrong)
    check_problem(answer, wrong.status)
    fields = {name: text for name, text in answer.get_json().items() if name != "instance"}
    assert MARK not in json.dumps(fields)
    if wrong.status == 405:
        assert "POST" in answer.headers["Allow"]
    if wrong.status == 401:
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_site_without_its_database_says_so_and_when_to_come_again(
    make_browser: Callable[..., Browser],
) -> None:
    browser = make_browser(database_url=NOBODY_THERE)
    answer = browser.client.get("/api/v1/facts")
    check_problem(answer, 503)
    assert answer.get_json()["code"] == "database_unavailable"
    assert int(answer.headers["Retry-After"]) > 0


def test_a_quota_that_is_used_up_says_when_there_is_a_new_one(
    make_browser: Callable[..., Browser],
) -> None:
    browser = make_browser(quota_searches_per_day=1)
    assert browser.client.get("/api/v1/search?q=tea").status_code == 200
    answer = browser.client.get("/api/v1/search?q=tea")
    check_problem(answer, 429)
    assert int(answer.headers["Retry-After"]) > 0


def test_a_fault_of_ours_tells_nothing_of_itself(make_separate_browser: MakeBrowser) -> None:
    browser = make_separate_browser()

    def fail() -> str:
        raise ValueError(MARK)

    app = browser.client.application
    app.view_functions["v1.site.agents"] = fail
    app.testing = False
    fail.scopes = frozenset()  # type: ignore[attr-defined]
    answer = browser.client.get("/api/v1/agents")
    check_problem(answer, 500)
    assert MARK not in answer.text
