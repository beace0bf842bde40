"""How soon a long conversation can be read: `python -m bench.page` (needs Chromium).

Starts a site and writes a conversation of 5,000 messages into its database. Prints milliseconds in
the browser, from the navigation, the click or the turn of the wheel until the requested message is
drawn. "First visit" is a browser profile without cached files. The cases take turns, so that other
load falls on all of them. Before them it measures a first visit over a long line
(`loading.py`), after them typing (`typing.py`).
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from bench.harness.report import print_load
from bench.harness.site import model_settings
from bench.page.loading import WORKER_REQUESTS, measure_loading
from bench.page.typing import measure_typing
from shared.db import Database, execute, fetch_row
from supervisor.environment import process_environment
from tests.e2e.conftest import environment_of
from tests.e2e.page.conftest import CHROMIUM
from tests.e2e.site import Site, running_site
from tests.fakes.openai_json import FAKE_MODEL
from tests.fakes.openai_server import running_openai_server
from tests.services import running_services

Timed = Callable[[], float]  # returns milliseconds

MESSAGES = 5000
TIMES = 7
ARGUMENTS = ["--no-sandbox", "--window-size=1280,900"]
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
    print_load()
    os.environ.update(process_environment(dict(os.environ), {}, may_download=False))
    os.environ.update(WORKER_REQUESTS)
    with (
        tempfile.TemporaryDirectory() as folder,
        running_services() as services,
        services.databases.copy() as url,
        running_openai_server() as model,
        running_site(
            environment_of(services, url) | model_settings(model.base_url, FAKE_MODEL),
            Path(folder),
            "web",
        ) as site,
        sync_playwright() as playwright,
    ):
        short = f"/c/{site.chat('Hello')['conversation_id']}"  # also makes the user
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        measure_loading(browser, site.url)
        show(openings(browser, site, short, add_conversation(url)))
        measure_typing(browser, site, model)
        browser.close()


def add_conversation(url: str) -> str:
    """Returns its path."""
    database = Database(url, pool_size=1)
    with database.transaction() as connection:
        row = fetch_row(connection, ADD, last=MESSAGES - 1) or {}
        execute(connection, FILL, **row, last=MESSAGES - 1)
    database.close()
    return f"/c/{row['conversation_id']}"


def openings(browser: Browser, site: Site, short: str, long: str) -> dict[str, Timed]:
    newest, middle = MESSAGES - 1, MESSAGES // 2
    end, far_back = site.url + long, f"{site.url}{long}#{middle}"
    two = site.url + short
    return {
        "two messages, first visit": lambda: open_at(browser, two, 1),
        "opened at its end, first visit": lambda: open_at(browser, end, newest),
        "two messages": lambda: open_at(browser, two, 1, before=two),
        "opened at its end": lambda: open_at(browser, end, newest, before=two),
        "opened at a message far back": lambda: open_at(browser, far_back, middle, before=two),
        "opened from the list": lambda: click_on(browser, two, newest),
        "an older page, on scrolling up": lambda: scroll_up(browser, end),
    }


def show(timed: dict[str, Timed]) -> None:
    """The ratio is to opening two messages. It says more than the time on a busy machine."""
    turns = [{what: run() for what, run in timed.items()} for _ in range(TIMES)]
    timings = {what: [turn[what] for turn in turns] for what in timed}
    base = statistics.median(timings["two messages"])
    for what, times in timings.items():
        middle = statistics.median(times)
        slowest = f"slowest {max(times):.0f} ms"
        print(f"{what}: median {middle:.0f} ms, {slowest}, ratio {middle / base:.1f}")


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
    """Milliseconds since `began` until the message is in view and drawn."""
    page.locator(f'[data-sequence="{sequence}"]').wait_for()
    page.evaluate("new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))")
    return (time.perf_counter() - began) * 1000


if __name__ == "__main__":
    main()
