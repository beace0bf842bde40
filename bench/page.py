"""How soon a long conversation can be read: `python -m bench.page`.

Starts a site of its own and writes a conversation of 5,000 messages into its database. Each time
is measured in the browser, from the start of the navigation (the click, the turn of the wheel)
until the message that was asked for is drawn. "First visit" is a browser profile without any kept
files; else somebody has been on the site before.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from shared.db import Database, execute, fetch_row
from supervisor.environment import process_environment
from tests.e2e.conftest import environment_of
from tests.e2e.page.conftest import CHROMIUM
from tests.e2e.site import Site, running_site
from tests.services import running_services

MESSAGES = 5000
TIMES = 7
ADD = """
    INSERT INTO conversations (user_id, agent, mode, title, last_sequence)
    VALUES ('local', 'general', 'active', 'A long one', %(last)s)
    RETURNING conversation_id
"""
FILL = """
    INSERT INTO messages (conversation_id, sequence_number, role, content, status)
    SELECT %(conversation_id)s, n, CASE n %% 2 WHEN 0 THEN 'user' ELSE 'assistant' END,
           'Message ' || n || E'.\n\n- ' || repeat('It has **some** words more. ', 1 + n %% 12),
           'complete'
    FROM generate_series(0, %(last)s) AS n
"""


def main() -> None:
    print(f"load average before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    os.environ.update(process_environment(dict(os.environ), {}, may_download=False))
    with (
        tempfile.TemporaryDirectory() as folder,
        running_services() as services,
        services.database() as url,
        running_site(environment_of(services, url), Path(folder), "web") as site,
        sync_playwright() as playwright,
    ):
        short = f"/c/{site.chat('Hello')['conversation_id']}"  # also makes the user
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        measure(browser, site, short, add_conversation(url))
        browser.close()


def add_conversation(url: str) -> str:
    """Returns its path."""
    database = Database(url, pool_size=1)
    with database.transaction() as connection:
        row = fetch_row(connection, ADD, last=MESSAGES - 1) or {}
        execute(connection, FILL, **row, last=MESSAGES - 1)
    database.close()
    return f"/c/{row['conversation_id']}"


def measure(browser: Browser, site: Site, short: str, long: str) -> None:
    newest, middle = MESSAGES - 1, MESSAGES // 2
    end, far_back = site.url + long, f"{site.url}{long}#{middle}"
    two = site.url + short
    show("two messages, first visit", lambda: open_at(browser, two, 1))
    show("opened at its end, first visit", lambda: open_at(browser, end, newest))
    show("two messages", lambda: open_at(browser, two, 1, before=two))
    show("opened at its end", lambda: open_at(browser, end, newest, before=two))
    show("opened at a message far back", lambda: open_at(browser, far_back, middle, before=two))
    show("opened from the list", lambda: click_on(browser, two, newest))
    show("an older page, on scrolling up", lambda: scroll_up(browser, end))


def show(what: str, run: Callable[[], float]) -> None:
    taken = [run() for _ in range(TIMES)]
    print(f"{what}: median {statistics.median(taken):.0f} ms, slowest {max(taken):.0f} ms")


def open_at(browser: Browser, address: str, sequence: int, *, before: str | None = None) -> float:
    with browser.new_context() as context:
        page = context.new_page()
        if before:
            page.goto(before, wait_until="networkidle")
        began = time.perf_counter()
        page.goto(address, wait_until="commit")
        return see(page, sequence, began)


def click_on(browser: Browser, before: str, sequence: int) -> float:
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(before, wait_until="networkidle")
        began = time.perf_counter()
        page.get_by_role("link", name="A long one").click()
        return see(page, sequence, began)


def scroll_up(browser: Browser, address: str) -> float:
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(address)
        see(page, MESSAGES - 1, 0)
        page.locator("#scroller").hover()
        began = time.perf_counter()
        page.mouse.wheel(0, -100_000)
        page.locator(f'[data-sequence="{MESSAGES - 51}"]').wait_for()
        return (time.perf_counter() - began) * 1000


def see(page: Page, sequence: int, began: float) -> float:
    """Milliseconds since `began`, once the message is in view and drawn."""
    page.locator(f'[data-sequence="{sequence}"]').wait_for()
    page.evaluate("new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))")
    return (time.perf_counter() - began) * 1000


if __name__ == "__main__":
    main()
