"""The chat page as a user operates it, with a watch on the browser's errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import CDPSession, ConsoleMessage, Locator, Page, Route, expect

from tests.waiting import wait_for
from web.pages.assets import STATIC

STREAM_MS = 60_000  # a fresh process first loads what it needs
WORK_MS = 60_000
#: An address without any script, for a tab that is to show the page later.
NOTHING = "/healthz"
WITHOUT_WORKER = "Service Worker registration blocked by Playwright"  # as `tabs` wants it
WATCH_COPYING = """(button) => {
  const status = button.parentElement.querySelector('[role="status"]');
  window.saidOfCopying = '';
  new MutationObserver(() => { window.saidOfCopying ||= status.textContent; })
    .observe(status, { childList: true });
}"""


class ChatPage:
    def __init__(self, page: Page, url: str = "", locale: str = "en-US") -> None:
        self.page = page
        self.url = url
        self.locale = locale
        self.problems: list[str] = []
        self._permitted: list[str] = []
        #: Whether the tab has what cannot be taken out of it again.
        self.is_changed_for_good = False
        self._without_worker: CDPSession | None = None
        page.on("console", self._note_message)
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

    def evaluate_modules(self, script: str, argument: object = None) -> Any:
        """Evaluate a script that imports modules as they are written, at `/modules/…`."""
        self.route("**/modules/**", _send_module)
        return self.page.evaluate(script, argument)

    def end_routes(self) -> None:
        """Let the service worker see requests again."""
        if self._without_worker is not None:
            self._without_worker.detach()
            self._without_worker = None

    def await_held(self, routes: Sequence[Route]) -> Route:
        """The first request that a handler has put there, a moment after the page has made it."""

        def is_held() -> bool:
            self.page.evaluate("true")  # Playwright calls the handler meanwhile
            return len(routes) > 0

        wait_for(is_held)
        return routes[0]

    def follow(self, path: str = "/") -> None:
        """Open a page that hears of what happens elsewhere from now on."""
        self.open_nothing()  # a page that is shown already may ask for its events just now
        with self.page.expect_response("**/api/v1/events"):
            self.open(path)

    def run_first(self, script: str) -> None:
        """Run a script before those of each page that is opened in the tab."""
        self.is_changed_for_good = True
        self.page.add_init_script(script)

    def install_clock(self) -> None:
        """Put the page's clock under the test's control (`page.clock`)."""
        self.is_changed_for_good = True
        self.page.clock.install()

    def stop_clock(self) -> None:
        """No time passes on the tab's pages any more: what is shown for a while stays."""
        self.install_clock()
        self.page.clock.pause_at(datetime.now(tz=UTC) + timedelta(minutes=1))

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
        fold = self.panel.locator("#how")
        if fold.get_attribute("open") is None:
            fold.locator("> summary").click()

    @property
    def question(self) -> Locator:
        """The dialog's text before something that cannot be undone."""
        return self.page.get_by_role("alertdialog")

    def open_settings(self, tab: str = "General") -> Locator:
        """The dialog, at the tab of this name."""
        self.button("Settings").click()
        dialog = self.page.get_by_role("dialog", name="Settings", exact=True)
        dialog.get_by_role("tab", name=tab, exact=True).click()
        return dialog

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

    def copy_by(self, button: Locator) -> str:
        """Press a button that copies. Returns what the clipboard has once the button has said so.

        What it says is gone after a moment, so the page itself watches for it.
        """
        button.evaluate(WATCH_COPYING)
        button.click()
        self.page.wait_for_function("() => window.saidOfCopying === 'Copied'")
        copied: str = self.page.evaluate("navigator.clipboard.readText()")
        return copied

    def permit_problem(self, part: str) -> None:
        """The browser may complain of this until the test ends. Other complaints fail the test."""
        self._permitted.append(part)
        self.problems = [problem for problem in self.problems if part not in problem]

    def expect_problem(self, part: str) -> None:
        """The browser must complain of this, at once or soon. Other complaints fail the test."""

        def has_complained() -> bool:
            self.page.evaluate("true")  # Playwright hears of it meanwhile
            return any(part in problem for problem in self.problems)

        wait_for(has_complained, explain=lambda: f"{part}: {self.problems}")
        self.permit_problem(part)

    def forget_problems(self) -> None:
        self.problems.clear()
        self._permitted.clear()

    def _note_message(self, message: ConsoleMessage) -> None:
        # Without the port, which may look like a status.
        path = urlsplit(message.location["url"]).path
        self._note(message.type, f"{message.text} {path}".rstrip())

    def _note(self, kind: str, text: str) -> None:
        is_permitted = any(part in text for part in (*self._permitted, WITHOUT_WORKER))
        if kind in {"error", "warning"} and not is_permitted:
            self.problems.append(f"{kind}: {text}")


def _send_module(route: Route) -> None:
    """The site serves its modules joined."""
    path = urlsplit(route.request.url).path.removeprefix("/modules/")
    route.fulfill(body=(STATIC / path).read_bytes(), content_type="text/javascript")
