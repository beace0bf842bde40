"""Deleting a message, and forgetting a fact everywhere, on the page."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.e2e.page.chat_page import WORK_MS, ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.site import Site
from tests.waiting import wait_for


def test_a_round_is_deleted_after_its_preview(open_page: OpenPage, memory_site: Site) -> None:
    chat = open_page(memory_site.url)
    chat.ask("My boat is called Albatross.")
    chat.ask("How do tides work?")
    first = chat.page.locator('.message[data-sequence="0"]')
    first.hover()
    first.get_by_role("button", name="More about this message").click()
    chat.page.get_by_role("menuitem", name="Delete message…").click()
    dialog = chat.page.get_by_role("alertdialog")
    expect(dialog).to_contain_text("My boat is called Albatross.")
    expect(dialog).to_contain_text("2 messages")
    expect(dialog).to_contain_text("backups of this site are not changed")
    dialog.get_by_label("With the reply to it").uncheck()
    expect(dialog).to_contain_text("1 message")
    dialog.get_by_label("With the reply to it").check()
    expect(dialog).to_contain_text("2 messages")
    dialog.get_by_role("button", name="Cancel").click()
    expect(first).to_contain_text("Albatross")
    first.hover()
    first.get_by_role("button", name="More about this message").click()
    chat.page.get_by_role("menuitem", name="Delete message…").click()
    dialog.get_by_role("button", name="Delete", exact=True).click()
    expect(chat.page.locator(".message.is-deleted")).to_have_count(2)
    chat.page.reload()
    expect(chat.page.locator(".message.is-deleted")).to_have_count(2)
    expect(chat.page.get_by_text("Deleted.", exact=True).filter(visible=True)).to_have_count(1)
    expect(chat.page.locator("#messages")).not_to_contain_text("Albatross")
    chat.ask("And why twice a day?")


SENTENCE = "My name is Ada, I live in Bergen and my bicycle is called Rosinante."


def teach(chat: ChatPage) -> Locator:
    """Returns the row of one of three facts of a sentence, opened."""
    chat.ask(SENTENCE)
    row = chat.panel.locator(".fact").filter(has_text="Rosinante")
    expect(row).to_be_visible(timeout=WORK_MS)
    chat.ask("What is my bicycle called?")
    expect(chat.page.locator(".message").last).to_contain_text("Rosinante")
    row.locator("summary").click()
    return row


def test_a_fact_is_forgotten_everywhere_which_can_be_undone_until_the_server_is_asked(
    open_page: OpenPage, memory_site: Site
) -> None:
    chat = open_page(memory_site.url)
    row = teach(chat)
    row.get_by_role("button", name="Forget everywhere…").click()
    chat.page.get_by_role("alertdialog").get_by_role("button", name="Forget everywhere").click()
    chat.button("Undo").hover()  # its notice stays meanwhile
    expect(row).to_have_count(0, timeout=WORK_MS)
    chat.button("Undo").click()
    expect(row).to_be_visible(timeout=WORK_MS)
    assert len(memory_site.get("/api/v1/facts")["facts"]) == 3
    expect(chat.page.locator(".message.is-deleted")).to_have_count(0)
    assert "forgetting" not in chat.page.evaluate("JSON.stringify(localStorage)")

    chat.page.reload()
    row.locator("summary").click()
    row.get_by_role("button", name="Forget everywhere…").click()
    dialog = chat.page.get_by_role("alertdialog")
    expect(dialog).to_contain_text("Forget “your bicycle is called Rosinante” everywhere?")
    expect(dialog).to_contain_text("My name is Ada")
    expect(dialog).to_contain_text("backups of this site are not changed")
    expect(dialog).to_contain_text("Nothing is deleted for eight seconds")
    expect(dialog.get_by_label("your name is Ada")).not_to_be_checked()
    expect(dialog).to_contain_text("1 fact")
    dialog.get_by_label("you live in Bergen").check()
    expect(dialog).to_contain_text("2 facts")
    dialog.get_by_role("button", name="Forget everywhere").click()
    notice = chat.page.locator("#notices")
    notice.get_by_role("button", name="Dismiss").hover()  # it stays meanwhile
    expect(notice).to_contain_text("about to be forgotten everywhere")
    expect(row).to_have_count(0, timeout=WORK_MS)
    notice.get_by_role("button", name="Dismiss").click()
    expect(notice).to_contain_text("Deleted: 3 messages, 2 facts")
    expect(notice).to_contain_text("Still known: your name is Ada.")
    expect(chat.page.locator(".message.is-deleted")).to_have_count(3)
    expect(chat.panel.locator(".fact")).to_have_count(1, timeout=WORK_MS)
    assert [fact["value"] for fact in memory_site.get("/api/v1/facts")["facts"]] == ["Ada"]


def test_what_a_closed_page_wanted_to_forget_is_forgotten_by_the_next(
    open_page: OpenPage, memory_site: Site
) -> None:
    chat = open_page(memory_site.url)
    teach(chat)
    facts = memory_site.get("/api/v1/facts")["facts"]
    [fact] = [row["fact_id"] for row in facts if row["value"] == "Rosinante"]
    [home] = [row["fact_id"] for row in facts if row["value"] == "Bergen"]
    entry = f"1 with_facts={home}&with_mentions=false"
    chat.page.evaluate(f"localStorage['throughline.forgetting.{fact}'] = '{entry}'")
    chat.page.reload()
    name = f"throughline.forgetting.{fact}"
    chat.page.wait_for_function("name => !(name in localStorage)", arg=name)
    assert [row["value"] for row in memory_site.get("/api/v1/facts")["facts"]] == ["Ada"]


def test_a_deleted_chat_takes_the_replies_elsewhere_that_repeat_it_if_wanted(
    open_page: OpenPage, memory_site: Site
) -> None:
    keeper = "The old lighthouse keeper in the harbour was called Xylophagous Zinnober."
    conversation_id = memory_site.chat(keeper)["conversation_id"]
    for text in ("How do tides work?", "And why twice a day?"):
        memory_site.chat(text, conversation_id)
    wait_for(lambda: memory_site.get("/api/v1/search?q=lighthouse")["messages"])
    wait_for(lambda: is_remembered(memory_site, conversation_id))  # no fact is learned later
    for fact in memory_site.get("/api/v1/facts")["facts"]:
        memory_site.delete(f"/api/v1/facts/{fact['fact_id']}")
    answer = memory_site.chat("Who was the old lighthouse keeper in the harbour?")
    assert "Zinnober" in answer["reply"]
    chat = open_page(memory_site.url, path=f"/c/{conversation_id}")
    dialog = chat.page.get_by_role("alertdialog")
    delete_chat(chat)
    expect(dialog).to_contain_text("1 reply in another chat repeats it, and stays.")
    dialog.get_by_role("button", name="Cancel").click()
    delete_chat(chat)
    dialog.get_by_label("Also delete the 1 reply in another chat that repeats it").check()
    expect(dialog).not_to_contain_text("and stays")
    dialog.get_by_role("button", name="Delete", exact=True).click()
    chat.page.locator("#notices").get_by_role("button", name="Dismiss").click()
    expect(chat.page.locator("#notices")).to_contain_text("Deleted: 1 conversation")
    assert memory_site.get("/api/v1/search?q=Zinnober")["messages"] == []


def is_remembered(site: Site, conversation_id: str) -> bool:
    """Whether the workers are done with a conversation."""
    jobs = site.get(f"/api/v1/conversations/{conversation_id}/jobs")["jobs"]
    return bool(jobs) and not any(job["state"] in {"queued", "running"} for job in jobs)


def delete_chat(chat: ChatPage) -> None:
    chat.button("This conversation’s settings").click()
    chat.page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
