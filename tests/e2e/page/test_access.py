"""No serious finding of axe, in both colour schemes, with everything on the page open."""

from __future__ import annotations

import json

from playwright.sync_api import expect

from tests.e2e.page.axe import LOOKS, find_in_looks, find_in_schemes, find_serious, needs_axe
from tests.e2e.page.chat_page import WORK_MS, ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.page.test_widths import OVERFLOW
from tests.e2e.site import Site
from tests.waiting import wait_for

SAID = ("My name is Ada.", "I live in Lyon.", "I moved to Nice.", "What do you know?")

pytestmark = needs_axe


def test_axe_finds_nothing_serious(open_page: OpenPage, memory_site: Site) -> None:
    """With all rules in both looks: what stands beside the chat there covers it on a phone."""
    chat = open_page(memory_site.url)
    findings = {"empty": find_in_looks(chat, rules=())}
    path = talk(memory_site)
    chat.open(path)
    open_what_was_given(chat)
    (width, scheme), _ = LOOKS  # in the other look it is seen beside what is remembered
    chat.page.set_viewport_size({"width": width, "height": 800})
    chat.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    findings["reply"] = {f"{width} {scheme}": find_serious(chat)}
    assert chat.page.evaluate(OVERFLOW) == 0
    chat.button("Show memory").click()
    open_memory(chat)
    findings["memory"] = find_in_looks(chat, rules=())
    expect(chat.panel.get_by_label("In a sentence")).to_be_visible()  # all was open in both
    expect(chat.replies.last.get_by_text("Word for word:")).to_be_visible()
    text = json.dumps(findings, indent=1)
    assert not any(any(looks.values()) for looks in findings.values()), text


def talk(site: Site) -> str:
    """Four rounds; something is known before the last. Returns the chat's path."""
    conversation_id = None
    *statements, question = SAID
    for text in statements:
        conversation_id = site.chat(text, conversation_id)["conversation_id"]
    wait_for(lambda: site.get("/api/v1/facts")["facts"], WORK_MS / 1000)
    site.chat(question, conversation_id)
    return f"/c/{conversation_id}"


def test_axe_finds_nothing_serious_in_dialogs_and_search(
    open_page: OpenPage, memory_site: Site
) -> None:
    memory_site.chat("My boat is called Albatross.")
    chat = open_page(memory_site.url)
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
    expect(chat.page.locator(".editing")).to_be_visible()
    findings.append(find_in_schemes(chat, "#messages"))  # the rest is looked at above
    chat.button("This conversation’s settings").click()
    chat.page.locator("#conversation-delete").click()
    chat.button("Undo").first.hover()  # its notice stays meanwhile
    findings.append(find_in_schemes(chat, "#notices"))
    chat.button("Undo").first.click()
    assert findings == [[]] * 7, json.dumps(findings, indent=1)


def open_what_was_given(chat: ChatPage) -> None:
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
