"""No serious finding of axe, in both colour schemes, with everything on the page open."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.page.chat_page import WORK_MS, ChatPage
from tests.e2e.page.conftest import OpenPage, Scheme
from tests.e2e.page.test_widths import OVERFLOW
from tests.e2e.site import ROOT, Site
from tests.waiting import wait_for

AXE = Path(ROOT, "node_modules", "axe-core", "axe.min.js")
# Colours are those that stand at the end of all transitions: the end of one may begin the next. To
# bring over what is in order, too, would take several times as long.
LIST_VIOLATIONS = """async (parts) => {
  const findMoving = () => document.getAnimations().filter((one) =>
    one.playState === 'running' && Number.isFinite(one.effect.getComputedTiming().endTime));
  for (let moving = findMoving(); moving.length; moving = findMoving()) {
    await Promise.allSettled(moving.map((one) => one.finished));
  }
  const options = { resultTypes: ['violations'] };
  const { violations } = await axe.run(parts.length ? parts : document, options);
  return violations;
}"""
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
#: Each width and each scheme of colours once. What depends on neither needs no second story.
LOOKS: tuple[tuple[int, Scheme], ...] = ((360, "dark"), (1280, "light"))
SAID = ("My name is Ada.", "I live in Lyon.", "I moved to Nice.", "What do you know?")

pytestmark = pytest.mark.skipif(not AXE.exists(), reason="axe-core comes with `bin/page-tools`")


@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing_serious(open_page: OpenPage, memory_site: Site, width: int) -> None:
    chat = open_page(memory_site.url, width=width)
    chat.page.evaluate(AXE.read_text())
    findings = [find_in_schemes(chat)]
    *statements, question = SAID
    for text in statements:
        chat.ask(text)
    wait_for(lambda: memory_site.get("/api/v1/facts")["facts"], WORK_MS / 1000)
    chat.ask(question)
    open_what_was_given(chat)
    findings.append(find_in_schemes(chat))
    if width < 1200:
        chat.button("Show memory").click()
    open_memory(chat)
    findings.append(find_in_schemes(chat))
    assert findings == [[], [], []], json.dumps(findings, indent=1)


def test_axe_finds_nothing_serious_in_dialogs_and_search(
    open_page: OpenPage, memory_site: Site
) -> None:
    memory_site.chat("My boat is called Albatross.")
    chat = open_page(memory_site.url)
    chat.page.evaluate(AXE.read_text())
    chat.button("Search").click()
    chat.page.get_by_label("Search everything said").fill("Albatross")
    hits = chat.page.get_by_role("group", name="Messages (").get_by_role("option")
    expect(hits.first).to_be_visible()
    findings = [find_in_schemes(chat)]
    hits.first.click()
    for name in ("Settings", "Your data", "Keyboard shortcuts", "This conversation’s settings"):
        chat.page.get_by_role("button", name=name, exact=True).click()
        expect(chat.page.get_by_role("dialog")).to_be_visible()
        chat.page.wait_for_load_state("networkidle")
        findings.append(find_in_schemes(chat))
        for tab in chat.page.get_by_role("dialog").get_by_role("tab").all()[1:]:
            tab.click()
            findings[-1] += find_in_schemes(chat)
        chat.page.keyboard.press("Escape")
    chat.box.press("ArrowUp")
    findings.append(find_in_schemes(chat))
    chat.button("This conversation’s settings").click()
    chat.page.locator("#conversation-delete").click()
    chat.button("Undo").first.hover()  # its notice stays meanwhile
    findings.append(find_in_schemes(chat))
    chat.button("Undo").first.click()
    assert findings == [[]] * 7, json.dumps(findings, indent=1)


def open_what_was_given(chat: ChatPage) -> None:
    chat.page.reload()  # by now there is a fact at least
    chat.page.evaluate(AXE.read_text())
    chat.replies.last.get_by_text("Used from memory:").click()
    expect(chat.replies.last).to_contain_text("tokens.")


def open_memory(chat: ChatPage) -> None:
    chat.unfold()
    expect(chat.panel.locator(".point").first).to_be_visible(timeout=WORK_MS)
    expect(chat.episodes.first).to_be_visible(timeout=WORK_MS)
    chat.facts.filter(has_text="Nice").locator("summary").click(timeout=WORK_MS)
    chat.episodes.first.locator("summary").click()
    expect(chat.facts.filter(has_text="Before: “Lyon”")).to_be_visible()
    chat.button("Add a fact").click()
    chat.button("Change").click()


def find_serious(chat: ChatPage, *parts: str) -> list[dict[str, Any]]:
    """Of the whole page, or of the parts that these selectors name."""
    return [
        {
            "id": violation["id"],
            "help": violation["help"],
            "at": [node["html"] for node in violation["nodes"]],
        }
        for violation in chat.page.evaluate(LIST_VIOLATIONS, parts)
        if violation["impact"] in {"serious", "critical"}
    ]


def find_in_schemes(chat: ChatPage) -> list[dict[str, Any]]:
    """What `find_serious` finds in the page as it is, in light and in dark colours."""
    findings = []
    for scheme in SCHEMES:
        chat.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        findings += find_serious(chat)
    return findings


def find_in_looks(chat: ChatPage, *parts: str) -> dict[str, list[dict[str, Any]]]:
    """What `find_serious` finds in the page as it is, and whether it is too wide, by look."""
    findings = {}
    for width, scheme in LOOKS:
        chat.page.set_viewport_size({"width": width, "height": 800})
        chat.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        findings[f"{width} {scheme}"] = find_serious(chat, *parts)
        if chat.page.evaluate(OVERFLOW) > 0:
            findings[f"{width} {scheme}"].append({"id": "wider than the screen"})
    return findings
