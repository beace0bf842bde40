"""What goes over the wire before the page can be used, and that a reply is not held back."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

import httpx
from playwright.sync_api import Browser, Page, Request

from tests.e2e.page.tabs import make_profile
from tests.e2e.site import Site
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.waiting import PATIENCE_S

FIRST_VIEW_BYTES = 120_000
FIRST_VIEW_REQUESTS = 20  # those for data, too
COUNTED_TYPES = {"document", "stylesheet", "script"}
WORDS = " ".join(f"word{number}" for number in range(20))
PIECE_S = 0.1


def load(page: Page, url: str) -> list[Request]:
    """What was loaded until the network was quiet."""
    finished: list[Request] = []
    page.on("requestfinished", lambda request: finished.append(request))  # noqa: PLW0108
    page.goto(url, wait_until="networkidle")
    return finished


def count_bytes(requests: list[Request]) -> int:
    """Bytes of bodies on the wire."""
    return sum(
        max(0, request.sizes()["responseBodySize"])  # below 0: it was kept
        for request in requests
        if request.resource_type in COUNTED_TYPES
    )


def test_the_first_view_is_light_and_the_second_is_kept(
    browser: Browser, scripted_site: Site
) -> None:
    with make_profile(browser) as context:
        # The panel asks again after seconds, which may pass before a busy network is quiet.
        context.clock.install()
        context.clock.pause_at(datetime.now(tz=UTC) + timedelta(minutes=1))
        first = load(context.new_page(), scripted_site.url)
        addresses = [request.url for request in first]
        assert len(addresses) <= FIRST_VIEW_REQUESTS, addresses
        assert len(set(addresses)) == len(addresses)
        assert 0 < count_bytes(first) < FIRST_VIEW_BYTES
        second = load(context.new_page(), scripted_site.url)
        assert count_bytes(second) < count_bytes(first) / 5


def test_a_reply_comes_word_by_word_to_a_client_that_takes_compressed_answers(
    scripted_site: Site, model_server: FakeOpenAI
) -> None:
    goes_on = threading.Event()
    model_server.script(Scripted(text=WORDS, piece_delay_s=PIECE_S, goes_on=goes_on))
    body = {"message": "Count.", "stream": True}
    headers = {"Accept-Encoding": "gzip, deflate, br, zstd"}
    url = f"{scripted_site.url}/chat"
    lines: list[str] = []
    with httpx.stream("POST", url, json=body, headers=headers, timeout=PATIENCE_S) as answer:
        assert "Content-Encoding" not in answer.headers
        for line in answer.iter_lines():
            if "word" in line:
                lines.append(line)
                goes_on.set()  # the first word has come before there was another
    assert len(lines) > 5
