"""Pages of other sites may use `/v1` where the site says so, with a token and without cookies."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.integration.web.conftest import Browser

pytestmark = pytest.mark.shares_sites

PAGE = "https://chat.example.com"
TOKEN = "a-token-of-the-site"  # noqa: S105
ASKED = {"model": "offline/extractive", "messages": [{"role": "user", "content": "Hello"}]}


def test_no_page_of_another_site_may_by_default(browser: Browser) -> None:
    answer = browser.client.post("/v1/chat/completions", json=ASKED, headers={"Origin": PAGE})
    assert answer.status_code == 403
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_a_page_that_is_named_may_with_a_token(make_browser: Callable[..., Browser]) -> None:
    site = make_browser(cors_origins=PAGE, local_token=TOKEN)
    asks = {"Origin": PAGE, "Access-Control-Request-Method": "POST"}
    asks["Access-Control-Request-Headers"] = "authorization,content-type,x-stainless-os"
    preflight = site.client.options("/v1/chat/completions", headers=asks)
    assert preflight.status_code == 204
    assert preflight.headers["Access-Control-Allow-Origin"] == PAGE
    assert "authorization" in preflight.headers["Access-Control-Allow-Headers"]
    assert "Access-Control-Allow-Credentials" not in preflight.headers

    headers = {"Origin": PAGE, "Authorization": f"Bearer {TOKEN}"}
    answer = site.client.post("/v1/chat/completions", json=ASKED, headers=headers)
    assert answer.status_code == 200
    assert answer.headers["Access-Control-Allow-Origin"] == PAGE


def test_a_cookie_does_not_count_for_it(make_browser: Callable[..., Browser]) -> None:
    site = make_browser(cors_origins=PAGE, local_token=TOKEN)
    assert site.client.get(f"/?token={TOKEN}").status_code == 302
    assert site.client.get("/v1/models").status_code == 200
    assert site.client.get("/v1/models", headers={"Origin": PAGE}).status_code == 401
    other = {"Origin": "https://evil.example.com", "Authorization": f"Bearer {TOKEN}"}
    answer = site.client.post("/v1/chat/completions", json=ASKED, headers=other)
    assert answer.status_code == 403


def test_the_pages_may_use_nothing_but_v1(make_browser: Callable[..., Browser]) -> None:
    site = make_browser(cors_origins=PAGE, local_token=TOKEN)
    headers = {"Origin": PAGE, "Authorization": f"Bearer {TOKEN}"}
    answer = site.client.post("/chat", json={"message": "Hello"}, headers=headers)
    assert answer.status_code == 403
    assert "Access-Control-Allow-Origin" not in answer.headers
