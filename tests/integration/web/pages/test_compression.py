"""What is sent smaller, what is sent as it is, and what browsers may keep."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from urllib.parse import urljoin

import brotli
import pytest
from flask.testing import FlaskClient

from tests.integration.web.conftest import Browser, MakeBrowser
from web.pages.assets import KEEP, LAYERS, STATIC, STYLES, current_release

pytestmark = pytest.mark.newcomers

ALL = {"Accept-Encoding": "gzip, deflate, br, zstd"}
STATIC_IMPORT = re.compile(r"\bimport\b[^'();]*from'(\.[^']+)'")
WITHOUT_TLS = {"Accept-Encoding": "gzip, deflate"}


def asset(name: str, release: str | None = None) -> str:
    return f"/assets/{release or current_release()}/{name}"


@pytest.mark.parametrize(
    "path", ["/", "/api/v1/conversations", asset("js/main.js"), asset("css/base.css")]
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


def test_a_file_is_the_same_whoever_asks_for_it_and_however_often(browser: Browser) -> None:
    plain = browser.client.get(asset("js/main.js")).data
    for headers in (ALL, WITHOUT_TLS, ALL, WITHOUT_TLS, ALL | {"Range": "bytes=0-9"}, ALL):
        answer = browser.client.get(asset("js/main.js"), headers=headers)
        unpack = (
            brotli.decompress if answer.headers["Content-Encoding"] == "br" else gzip.decompress
        )
        assert unpack(answer.data) == plain


def test_an_answer_of_the_api_is_made_anew_each_time(browser: Browser) -> None:
    lists = []
    for number in range(4):  # few are too short to be worth it
        browser.chat(f"Number {number}.")
    for _ in range(2):
        browser.chat("Something else. " * 100)
        answer = browser.client.get("/api/v1/conversations", headers=ALL)
        lists.append(json.loads(brotli.decompress(answer.data))["conversations"])
    assert [len(conversations) for conversations in lists] == [5, 6]


def test_the_pages_styles_come_as_one_after_the_order_of_their_layers(browser: Browser) -> None:
    html = browser.client.get("/").text
    assert re.findall(r'rel="stylesheet" href="([^"]+)"', html) == [asset(STYLES)]
    styles = browser.client.get(asset(STYLES)).text
    assert styles.startswith(read_rules(STATIC / LAYERS))
    files = list((STATIC / "css").glob("*.css"))
    assert len(files) > 5
    assert all(read_rules(file) in styles for file in files)


def read_rules(file: Path) -> str:
    return re.sub(r"/\*.*?\*/", "", file.read_text(), flags=re.DOTALL)


@pytest.mark.parametrize("path", ["/", "/offline", "/operations", "/api/v1/docs"])
def test_each_page_has_one_file_of_styles(make_browser: MakeBrowser, path: str) -> None:
    browser = make_browser()  # of the operator
    html = browser.client.get(path).text
    [style] = re.findall(r'rel="stylesheet" href="([^"]+)"', html)
    assert browser.client.get(style).mimetype == "text/css"


@pytest.mark.parametrize("path", ["/", "/operations"])
def test_a_page_loads_all_its_first_scripts_ahead(make_browser: MakeBrowser, path: str) -> None:
    browser = make_browser()  # of the operator
    html = browser.client.get(path).text
    waiting = re.findall(r'<script type="module" src="([^"]+)"', html)
    ahead = re.findall(r'rel="modulepreload" href="([^"]+)"', html)
    loaded: set[str] = set()
    while waiting:
        address = waiting.pop()
        if address not in loaded:
            loaded.add(address)
            imports = STATIC_IMPORT.findall(browser.client.get(address).text)
            waiting += [urljoin(address, imported) for imported in imports]
    assert len(loaded) > 3
    assert sorted(loaded) == sorted(ahead)


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
    paths = re.findall(r'(?:src|href)="(/assets/[^"]+)"', html)
    assert paths
    assert all(path.startswith(asset("")) for path in paths)


def test_browsers_keep_a_file_of_this_release_only(browser: Browser) -> None:
    assert cache_control(browser.client, asset("js/main.js")) == KEEP
    assert cache_control(browser.client, asset("js/main.js", "older")) == "no-cache"


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
