"""Pictures of the page for the documentation, taken from the real site.

python -m tests.e2e.page.screenshots
"""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright

from supervisor.environment import process_environment
from tests.e2e.conftest import environment_of
from tests.e2e.page.chat_page import WORK_MS, ChatPage
from tests.e2e.page.conftest import CHROMIUM, PATIENCE_MS, Scheme
from tests.e2e.page.tabs import OPEN_PANEL
from tests.e2e.site import ROOT, Site, running_site
from tests.services import running_services

IMAGES = ROOT / "docs" / "images"
WIDE, PHONE = (1280, 1000), (360, 740)
OPERATIONS: dict[str, tuple[tuple[int, int], Scheme]] = {
    "operations": ((1280, 1600), "light"),
    "operations-dark": ((1280, 1600), "dark"),
    "phone-operations": (PHONE, "light"),
}

EARLIER = ("Which bread keeps longest?", "Ideas for a rainy Sunday", "How do tides work?")
SHORT_EPISODES = {"EPISODE_TRIGGER_TURNS": "12"}
PROCESSES = ("web", "worker-llm", "worker-embed", "beat")
# A reply with what a text can have; the stand-in model writes no such thing.
TIDES = r"""High water comes a little later each day, because the Moon moves on:

$$T = \frac{24\,\mathrm{h}}{1 - \frac{1}{29.53}} \approx 24\,\mathrm{h}\ 50\,\mathrm{min}$$

so two tides are $T/2$ apart.

| day | high water | height |
| --- | --- | --: |
| Saturday | 09:10 | 3.1 m |
| Sunday | 10:00 | 3.4 m |

```python
from datetime import datetime, timedelta

def next_high_water(last: datetime) -> datetime:
    # Half a lunar day after the last one.
    return last + timedelta(hours=12, minutes=25)
```

- المد والجزر: مرتان في اليوم
"""
TITLE = "How late is the tide tomorrow?"
PAST = {
    "title": TITLE,
    "messages": [
        {"role": "user", "content": "How late is the tide tomorrow, if $T$ is a lunar day?"},
        {"role": "assistant", "content": TIDES},
    ],
}
CONTENT: dict[str, tuple[tuple[int, int], Scheme]] = {
    "content": (WIDE, "light"),
    "content-dark": (WIDE, "dark"),
    "phone-content": ((360, 900), "light"),
    "phone-content-dark": ((360, 900), "dark"),
}
ROUNDS = (
    "My name is Alexander and I live in Porto.",
    "I keep a small sailing boat called Albatross in the harbour.",
    "On Saturday I want to sail to Cascais, but I do not like strong wind.",
    "I moved to Lisbon last week, and I am allergic to nuts.",
    "What should I remember when I pack for Saturday?",
    "Then let us leave at nine and be back before dark.",
    "I prefer fish with rice on board.",
    "What was my boat called?",
)


def main() -> None:
    os.environ.update(process_environment(dict(os.environ), {}, may_download=False))
    expect.set_options(timeout=PATIENCE_MS)
    IMAGES.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        running_services() as services,
        services.databases.lend() as url,
        running_site(
            environment_of(services, url) | SHORT_EPISODES, Path(folder), *PROCESSES
        ) as site,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        take_all(browser, site)
        take_operations(browser, site)
        take_content(browser, site)
        browser.close()


def take_all(browser: Browser, site: Site) -> None:
    for question in EARLIER:
        site.chat(question)
    take(open_page(browser, site, WIDE, "light"), "new-chat")
    chat = open_page(browser, site, WIDE, "light")
    chat.button("Dismiss").click()
    talk(chat)
    path = f"/c/{chat.conversation_id}"
    expect(chat.episodes.first).to_be_visible(timeout=WORK_MS)
    take(chat, "chat")
    dark = open_chat(browser, site, WIDE, "dark", path)
    dark.replies.last.get_by_text("Used from memory:").click()
    dark.facts.filter(has_text="Lisbon").locator("summary").click()
    take(dark, "chat-dark")
    take(open_chat(browser, site, PHONE, "light", path), "phone")
    memory = open_chat(browser, site, PHONE, "dark", path)
    memory.button("Show memory").click()
    expect(memory.facts.first).to_be_visible()
    take(memory, "phone-memory-dark")


def take_operations(browser: Browser, site: Site) -> None:
    for name, (size, scheme) in OPERATIONS.items():
        operations = open_page(browser, site, size, scheme, "/operations")
        expect(operations.page.locator("#workers tbody tr")).to_have_count(2)
        take(operations, name)


def take_content(browser: Browser, site: Site) -> None:
    """Comes last: what is imported is remembered, and would be in the other pictures."""
    site.post("/api/v1/imports", {"conversations": [PAST]})
    first = open_page(browser, site, WIDE, "light")
    first.page.get_by_role("link", name=TITLE).click()
    path = f"/c/{first.conversation_id}"
    for name, (size, scheme) in CONTENT.items():
        chat = open_page(browser, site, size, scheme, path)
        chat.button("Dismiss").click()
        expect(chat.reply_text.locator(".is-displayed .katex")).to_be_visible()
        expect(chat.reply_text.locator(".hljs-keyword").first).to_be_visible()
        take(chat, name)


def talk(chat: ChatPage) -> None:
    """As a person does: the summary has caught up before the next message, but for the last."""
    for count, message in enumerate(ROUNDS, start=1):
        chat.ask(message)
        last = 2 * count - 1
        if 3 <= count < len(ROUNDS):
            chat.unfold()
            expect(chat.panel.get_by_text(re.compile(f"–{last}, written"))).to_be_visible(
                timeout=WORK_MS
            )


def open_chat(
    browser: Browser, site: Site, size: tuple[int, int], scheme: Scheme, path: str
) -> ChatPage:
    chat = open_page(browser, site, size, scheme, path)
    chat.button("Dismiss").click()
    expect(chat.replies).to_have_count(len(ROUNDS))
    return chat


def open_page(
    browser: Browser, site: Site, size: tuple[int, int], scheme: Scheme, path: str = "/"
) -> ChatPage:
    width, height = size
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
    page.add_init_script(OPEN_PANEL)
    chat = ChatPage(page, site.url)
    chat.open(path)
    return chat


def take(chat: ChatPage, name: str) -> None:
    chat.page.mouse.move(0, 0)
    chat.page.screenshot(path=IMAGES / f"{name}.png", animations="disabled")


if __name__ == "__main__":
    main()
