"""What goes wrong outside the API is told to browsers as a page, and to programs as JSON."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.integration.web.conftest import Browser, MakeBrowser
from tests.refusals import code_of

pytestmark = pytest.mark.shares_sites

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
NOT_FOR_BROWSERS = (
    "/api/v1/facts/7", "/api/v1/nothing", "/api/nothing", "/v1/nothing", "/chat/nothing", "/chat",
)  # fmt: skip


def test_a_browser_gets_a_page_with_a_way_back(browser: Browser) -> None:
    answer = browser.client.get("/<b>nothing", headers=BROWSER)
    assert (answer.status_code, answer.mimetype) == (404, "text/html")
    assert "There is nothing here" in answer.text
    assert 'href="/"' in answer.text
    assert "<b>" not in answer.text
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("accept", ["*/*", "application/json", "application/json, text/html", None])
def test_a_program_gets_json(browser: Browser, accept: str | None) -> None:
    answer = browser.client.get("/nothing", headers={"Accept": accept} if accept else {})
    assert (answer.status_code, answer.mimetype) == (404, "application/json")
    assert code_of(answer) == "not_found"


@pytest.mark.parametrize("path", NOT_FOR_BROWSERS)
def test_the_api_answers_browsers_with_json(browser: Browser, path: str) -> None:
    answer = browser.client.get(path, headers=BROWSER)
    assert answer.status_code in {404, 405}
    assert answer.mimetype in {"application/json", "application/problem+json"}


def test_another_method_is_told_which_there_are(browser: Browser) -> None:
    answer = browser.client.delete("/", headers=BROWSER)
    assert (answer.status_code, answer.mimetype) == (405, "text/html")
    assert "That does not work here" in answer.text
    assert "GET" in answer.headers["Allow"]


def test_who_may_not_see_a_page_is_told_so(make_browser: Callable[..., Browser]) -> None:
    proxied = make_browser(auth_mode="proxy", trusted_proxies=("127.0.0.1/32",))
    answer = proxied.client.get("/operations", headers=BROWSER | {"X-Forwarded-User": "ada"})
    assert (answer.status_code, answer.mimetype) == (403, "text/html")
    assert "This is not allowed" in answer.text
    answer = proxied.client.get("/", headers=BROWSER)
    assert (answer.status_code, answer.mimetype) == (401, "text/html")


def test_a_fault_of_the_site_tells_nothing_of_itself(make_separate_browser: MakeBrowser) -> None:
    browser = make_separate_browser()
    app = browser.client.application

    def fail() -> str:
        raise RuntimeError("a secret of the code")

    fail.scopes = frozenset()  # type: ignore[attr-defined]
    app.view_functions["page.show"] = fail
    answer = browser.client.get("/", headers=BROWSER)
    assert (answer.status_code, answer.mimetype) == (500, "text/html")
    assert "It has been logged." in answer.text
    assert "secret" not in answer.text
