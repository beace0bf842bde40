"""Tabs of the browser that one test hands to the next.

From its second opening on the page's files are in the tab's profile, and it opens in a fifth of the
time. What a test leaves behind in the page or the profile is removed in between.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext

from tests.e2e.page.chat_page import ChatPage

PATIENCE_MS = 60_000
# As a reader has left it. Who has never seen the page finds it closed (`is_new`).
OPEN_PANEL = "try { localStorage['throughline.panel'] ??= 'open'; } catch {}"

Scheme = Literal["light", "dark"]


@dataclass(frozen=True, kw_only=True)
class Window:
    width: int = 1280
    height: int = 800
    scheme: Scheme = "light"
    locale: str = "en-US"


@dataclass
class Tabs:
    browser: Browser
    #: Those that wait for a test, by locale. Each has a profile of its own.
    _spare: defaultdict[str, list[ChatPage]] = field(default_factory=lambda: defaultdict(list))

    def lend(self, url: str, window: Window, *, is_new: bool) -> ChatPage:
        """A tab that does not show the page yet.

        `is_new` is for one in a profile without any file of the page. It has the service worker, as
        no other has: under a debugger, as Playwright is, a page of a busy browser at times waits a
        minute for its worker to start.
        """
        spare = self._spare[window.locale]
        chat = self._make(window.locale, is_new=is_new) if is_new or not spare else spare.pop()
        chat.url = url
        chat.page.set_viewport_size({"width": window.width, "height": window.height})
        chat.page.emulate_media(color_scheme=window.scheme)
        return chat

    def take_back(self, chat: ChatPage) -> None:
        if chat.is_changed_for_good or chat.problems or chat.page.is_closed():
            chat.page.context.close()
            return
        clear(chat)
        self._spare[chat.locale].append(chat)

    def close(self) -> None:
        for tabs in self._spare.values():
            for chat in tabs:
                chat.page.context.close()

    def _make(self, locale: str, *, is_new: bool) -> ChatPage:
        workers = "allow" if is_new else "block"
        context = make_profile(self.browser, locale=locale, service_workers=workers)
        chat = ChatPage(context.new_page(), locale=locale)
        chat.is_changed_for_good = is_new
        if not is_new:
            chat.page.add_init_script(OPEN_PANEL)
        return chat


def make_profile(browser: Browser, **options: Any) -> BrowserContext:
    """One of a test's own. `options` are Playwright's."""
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE_MS)
    return context


def clear(chat: ChatPage) -> None:
    """Leave the page, and remove what it has stored but its files."""
    page, context = chat.page, chat.page.context
    for other in context.pages:
        if other is not page:
            other.close()
    context.set_offline(False)
    for routed in (page, context):
        routed.unroute_all(behavior="ignoreErrors")
    # No script runs there, and the browser goes on with the same process, as it does not elsewhere.
    page.goto(f"{chat.url}/healthz")
    page.evaluate("sessionStorage.clear()")
    session = context.new_cdp_session(page)
    stored = {"origin": chat.url, "storageTypes": "local_storage,indexeddb"}
    session.send("Storage.clearDataForOrigin", stored)
    session.detach()
    context.clear_cookies()
    context.clear_permissions()
    page.emulate_media(reduced_motion="null", media="null", forced_colors="null", contrast="null")
    chat.end_routes()
    chat.forget_problems()
