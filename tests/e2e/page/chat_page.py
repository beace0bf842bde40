"""The chat page as a user operates it, with a watch on the browser's errors."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import CDPSession, Locator, Page, Route, expect

STREAM_MS = 60_000  # a fresh process first loads what it needs
WORK_MS = 60_000


class ChatPage:
    def __init__(self, page: Page, url: str = "", locale: str = "en-US") -> None:
        self.page = page
        self.url = url
        self.locale = locale
        self.problems: list[str] = []
        #: Whether the tab has what cannot be taken out of it again.
        self.is_changed_for_good = False
        self._without_worker: CDPSession | None = None
        page.on("console", lambda message: self._note(message.type, message.text))
        page.on("pageerror", lambda error: self._note("error", str(error)))

    def open(self, path: str = "/") -> None:
        self.page.goto(self.url + path)

    def route(self, pattern: str, handle: Callable[[Route], None]) -> None:
        """As Playwright's own, which sees no request of a page that has a service worker."""
        if self._without_worker is None:
            self._without_worker = self.page.context.new_cdp_session(self.page)
            self._without_worker.send("Network.enable")
            self._without_worker.send("Network.setBypassServiceWorker", {"bypass": True})
        self.page.route(pattern, handle)

    def end_routes(self) -> None:
        """Let the service worker see requests again."""
        if self._without_worker is not None:
            self._without_worker.detach()
            self._without_worker = None

    def run_first(self, script: str) -> None:
        """Run a script before those of each page that is opened in the tab."""
        self.is_changed_for_good = True
        self.page.add_init_script(script)

    def install_clock(self) -> None:
        """Put the page's clock under the test's control (`page.clock`)."""
        self.is_changed_for_good = True
        self.page.clock.install()

    def open_nothing(self) -> None:
        self.page.goto("about:blank")

    @property
    def box(self) -> Locator:
        return self.page.get_by_label("Your message", exact=True)

    @property
    def stop_button(self) -> Locator:
        return self.page.get_by_role("button", name="Stop the reply", exact=True)

    @property
    def send_button(self) -> Locator:
        return self.page.get_by_role("button", name="Send", exact=True)

    @property
    def replies(self) -> Locator:
        return self.page.locator(".message.is-assistant")

    @property
    def reply_text(self) -> Locator:
        return self.replies.last.locator(".message-body")

    @property
    def questions(self) -> Locator:
        return self.page.locator(".message.is-user .message-body")

    @property
    def panel(self) -> Locator:
        return self.page.get_by_role("complementary", name="Memory")

    @property
    def facts(self) -> Locator:
        return self.panel.locator(".fact")

    @property
    def episodes(self) -> Locator:
        return self.panel.locator(".episode")

    def unfold(self) -> None:
        """Show how memory works: coverage, summary, jobs."""
        fold = self.panel.locator(".fold")
        if fold.get_attribute("open") is None:
            fold.locator("> summary").click()

    @property
    def question(self) -> Locator:
        """The dialog's text before something that cannot be undone."""
        return self.page.get_by_role("alertdialog")

    def button(self, name: str) -> Locator:
        """By its whole name: those of the list's menus contain the titles of chats."""
        return self.page.get_by_role("button", name=name, exact=True)

    def send(self, text: str) -> None:
        self.box.fill(text)
        self.box.press("Enter")

    def ask(self, text: str) -> None:
        """Send a message and wait for the whole reply."""
        count = self.replies.count()
        self.send(text)
        expect(self.replies).to_have_count(count + 1)
        self.wait_for_end()

    def wait_for_end(self) -> None:
        expect(self.replies.last).not_to_have_attribute(
            "data-status", "streaming", timeout=STREAM_MS
        )
        expect(self.send_button).to_be_visible()

    @property
    def conversation_id(self) -> str:
        """Wait until the address contains it."""
        expect(self.page).to_have_url(re.compile(r"/c/[0-9a-f-]{36}$"))
        return self.page.url.rsplit("/", 1)[1]

    def expect_problem(self, part: str) -> None:
        """The browser must complain of this. Any other complaint fails the test."""
        assert any(part in problem for problem in self.problems), (part, self.problems)
        self.problems = [problem for problem in self.problems if part not in problem]

    def _note(self, kind: str, text: str) -> None:
        if kind in {"error", "warning"}:
            self.problems.append(f"{kind}: {text}")
