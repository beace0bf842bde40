"""What is sent smaller, what is sent as it is, and what browsers may keep."""

from __future__ import annotations

import re

import brotli
import pytest
from flask.testing import FlaskClient

from tests.integration.web.conftest import Browser
from web.assets import KEEP, current_release

ALL = {"Accept-Encoding": "gzip, deflate, br, zstd"}
WITHOUT_TLS = {"Accept-Encoding": "gzip, deflate"}


def asset(name: str, release: str | None = None) -> str:
    return f"/assets/{release or current_release()}/{name}"


@pytest.mark.parametrize(
    "path", ["/", "/api/conversations", asset("js/main.js"), asset("css/1-base.css")]
)
def test_pages_styles_scripts_and_json_are_compressed(browser: Browser, path: str) -> None:
    for number in range(5):
        browser.chat(f"Hello number {number}, and so on and so on.")
    plain = browser.client.get(path)
    assert "Content-Encoding" not in plain.headers
    small = browser.client.get(path, headers=ALL)
    assert small.headers["Content-Encoding"] == "br"
    assert brotli.decompress(small.data) == plain.data
    assert len(small.data) < 0.75 * len(plain.data)
    assert "Accept-Encoding" in small.headers["Vary"]
    assert browser.client.get(path, headers=WITHOUT_TLS).headers["Content-Encoding"] == "gzip"


def test_what_is_compressed_already_is_left_alone(browser: Browser) -> None:
    font = browser.client.get(asset("vendor/figtree-latin-wght-normal.woff2"), headers=ALL)
    assert "Content-Encoding" not in font.headers


def test_an_event_stream_is_never_compressed(browser: Browser) -> None:
    answer = browser.client.post("/chat", json={"message": "Hi", "stream": True}, headers=ALL)
    assert answer.mimetype == "text/event-stream"
    assert "Content-Encoding" not in answer.headers
    assert b"event: done" in answer.data


def test_the_page_asks_for_files_at_addresses_that_change_with_them(browser: Browser) -> None:
    html = browser.client.get("/").text
    own = re.findall(r'(?:src|href)="(/(?:static|assets)/[^"]+)"', html)
    assert own
    assert all(path.startswith(asset("")) for path in own)


def test_browsers_keep_a_file_of_this_release_only(browser: Browser) -> None:
    assert cache_control(browser.client, asset("js/main.js")) == KEEP
    assert cache_control(browser.client, asset("js/main.js", "older")) == "no-cache"
    assert cache_control(browser.client, "/static/js/main.js") == "no-cache"


def test_a_file_that_is_known_is_not_sent_again(browser: Browser) -> None:
    first = browser.client.get(asset("js/main.js"), headers=ALL)
    again = browser.client.get(
        asset("js/main.js"), headers=ALL | {"If-None-Match": first.headers["ETag"]}
    )
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize("name", ["../app.py", "%2e%2e/app.py", "js/none.js"])
def test_only_the_pages_files_are_had(browser: Browser, name: str) -> None:
    assert browser.client.get(asset(name)).status_code == 404


def cache_control(client: FlaskClient, path: str) -> str:
    with client.get(path) as answer:
        return answer.headers["Cache-Control"]
