"""The frame that draws diagrams: alone in its sandbox, with two scripts and no network."""

from __future__ import annotations

import re

import pytest

from tests.integration.web.conftest import Browser

pytestmark = pytest.mark.shares_sites


def test_the_frame_is_in_a_sandbox_and_only_this_site_may_show_it(browser: Browser) -> None:
    frame = browser.client.get("/diagrams/frame")
    policy = frame.headers["Content-Security-Policy"].split("; ")
    assert policy[:3] == ["sandbox allow-scripts", "default-src 'none'", "script-src 'self'"]
    assert "frame-ancestors 'self'" in policy
    assert not any("connect-src" in part or "unsafe-eval" in part for part in policy)
    scripts = re.findall(r'<script defer src="([^"]+)">', frame.text)
    assert [address.split("/", 3)[3] for address in scripts] == [
        "vendor/mermaid.js", "diagrams/frame.js",
    ]  # fmt: skip
    for address in scripts:
        script = browser.client.get(address)
        assert script.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
        assert "immutable" in script.headers["Cache-Control"]


def test_the_page_may_show_frames_of_this_site_alone_and_be_shown_in_none(
    browser: Browser,
) -> None:
    page = browser.client.get("/")
    policy = page.headers["Content-Security-Policy"].split("; ")
    assert "frame-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "script-src 'self'" in policy
    other = re.search(r'"(/assets/[^"]+/js/main\.js)"', page.text)
    assert other is not None
    answer = browser.client.get(other[1])
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
