"""The service worker and its page are open to all, and tell nothing of anybody."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.integration.web.conftest import Browser
from web.pages.assets import current_release

pytestmark = pytest.mark.shares_sites

PATHS = ("/manifest.webmanifest", "/service-worker.js", "/offline")


@pytest.mark.parametrize("path", PATHS)
def test_they_need_no_token(make_browser: Callable[..., Browser], path: str) -> None:
    browser = make_browser(local_token="t" * 40)
    assert browser.client.get("/api/v1/facts").status_code == 401
    assert browser.client.get(path).status_code == 200


def test_a_worker_is_another_one_with_another_offline_page(browser: Browser) -> None:
    def head(**headers: str) -> str:
        return browser.client.get("/service-worker.js", headers=headers).text.splitlines()[0]

    english = head()
    assert english.startswith('const VERSION = "')
    assert head() == english
    assert head(**{"Accept-Language": "de"}) != english
    browser.client.set_cookie("throughline-theme", "dark")
    assert head() != english


def test_a_worker_is_a_script_of_this_site_that_is_read_anew(browser: Browser) -> None:
    answer = browser.client.get("/service-worker.js")
    assert answer.mimetype == "text/javascript"
    assert answer.headers["Cache-Control"] == "no-store"
    assert "worker-src 'self'; manifest-src 'self'" in answer.headers["Content-Security-Policy"]
    assert current_release() in answer.text
