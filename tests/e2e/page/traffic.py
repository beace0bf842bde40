"""What a page asks for, and whether it has stopped asking."""

from __future__ import annotations

from playwright.sync_api import Page, Request

LAST = "/healthz"
EVENTS = "/api/v1/events"  # stays open


class Traffic:
    """The requests of a page, but for its events. Its clock is the test's (`page.clock`)."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._urls: list[str] = []
        self._open: set[Request] = set()
        page.on("request", self._note)
        page.on("requestfinished", self._forget)
        page.on("requestfailed", self._forget)

    def is_over(self, ms: int) -> bool:
        """Whether no request is open, and none is made in the next `ms` of the page's clock."""
        self._catch_up()
        if self._open:
            return False
        self._urls.clear()
        self._page.clock.fast_forward(ms)
        self._catch_up()
        return self._urls == []

    def _note(self, request: Request) -> None:
        if request.url.endswith(LAST) or EVENTS in request.url:
            return
        self._urls.append(request.url)
        self._open.add(request)

    def _forget(self, request: Request) -> None:
        self._open.discard(request)

    def _catch_up(self) -> None:
        """Have one more request answered. All that were made before it have been seen then."""
        with self._page.expect_response(f"**{LAST}"):
            self._page.evaluate(f"fetch('{LAST}')")
