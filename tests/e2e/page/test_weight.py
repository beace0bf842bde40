"""What goes over the wire before the page can be used, and that a reply is not held back."""

from __future__ import annotations

import time

import httpx
from playwright.sync_api import Browser, Page, Request

from tests.e2e.site import Site
from tests.fakes.openai_server import FakeOpenAI, Scripted

FIRST_VIEW_BYTES = 150_000
COUNTED_TYPES = {"document", "stylesheet", "script"}
WORDS = " ".join(f"word{number}" for number in range(20))
PIECE_S = 0.1


def load(page: Page, url: str) -> dict[str, int]:
    """Bytes of bodies on the wire by path, of what was loaded until the network was quiet."""
    finished: list[Request] = []
    page.on("requestfinished", lambda request: finished.append(request))  # noqa: PLW0108
    page.goto(url, wait_until="networkidle")
    return {
        request.url: max(0, request.sizes()["responseBodySize"])  # below 0: it was kept
        for request in finished
        if request.resource_type in COUNTED_TYPES
    }


def test_the_first_view_is_light_and_the_second_is_kept(
    browser: Browser, scripted_site: Site
) -> None:
    with browser.new_context() as context:
        first = load(context.new_page(), scripted_site.url)
        assert len(first) > 30
        assert 0 < sum(first.values()) < FIRST_VIEW_BYTES, first
        second = load(context.new_page(), scripted_site.url)
        assert sum(second.values()) < sum(first.values()) / 5, second


def test_a_reply_comes_word_by_word_to_a_client_that_takes_compressed_answers(
    scripted_site: Site, model_server: FakeOpenAI
) -> None:
    model_server.script(Scripted(text=WORDS, piece_delay_s=PIECE_S))
    body = {"message": "Count.", "stream": True}
    headers = {"Accept-Encoding": "gzip, deflate, br, zstd"}
    url = f"{scripted_site.url}/chat"
    with httpx.stream("POST", url, json=body, headers=headers, timeout=30) as answer:
        assert "Content-Encoding" not in answer.headers
        came_at = [time.monotonic() for line in answer.iter_lines() if "word" in line]
    assert len(came_at) > 5
    assert came_at[-1] - came_at[0] > 10 * PIECE_S
