"""The panel's episodes, of one conversation and of all."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.page.chat_page import WORK_MS, ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.site import Site
from tests.waiting import wait_for

BOAT = ("My boat is called Albatross.", "It lies in the harbour of Cascais.")
BEES = ("I keep bees on the roof.", "They like the lavender there.")

MANY = 11  # the page fetches ten at a time


def talk(site: Site, messages: tuple[str, ...]) -> str:
    """A conversation that is long enough for one episode; its id, once there is one."""
    conversation_id = None
    for message in messages:
        conversation_id = site.chat(message, conversation_id)["conversation_id"]
    path = f"/api/v1/episodes?conversation_id={conversation_id}"
    wait_for(lambda: site.get(path)["episodes"], WORK_MS / 1000)
    return str(conversation_id)


def open_talk(open_page: OpenPage, site: Site, conversation_id: str) -> ChatPage:
    chat = open_page(site.url, path=f"/c/{conversation_id}")
    expect(chat.episodes).to_have_count(1)
    return chat


def test_an_episode_shows_when_it_is_closed_and_its_messages_outlive_it(
    open_page: OpenPage, memory_site: Site
) -> None:
    chat = open_page(memory_site.url)
    for message in BOAT:
        chat.ask(message)
    expect(chat.episodes).to_have_count(1, timeout=WORK_MS)
    expect(chat.episodes).to_contain_text("Albatross")
    expect(chat.episodes.get_by_role("list", name="Key concepts")).to_contain_text("boat")
    chat.episodes.get_by_role("link", name="0–1").click()
    expect(chat.page.locator('[data-sequence="0"]')).to_be_focused()
    chat.episodes.locator("summary").click()
    chat.button("Delete this talk").click()
    expect(chat.question).to_contain_text("The messages stay.")
    chat.question.get_by_role("button", name="Delete this talk").click()
    expect(chat.episodes).to_have_count(0)
    expect(chat.questions).to_have_text(list(BOAT))
    chat.page.reload()
    expect(chat.panel).to_contain_text("None of this conversation yet.")


def test_all_episodes_lead_into_their_conversations(open_page: OpenPage, memory_site: Site) -> None:
    boat, bees = talk(memory_site, BOAT), talk(memory_site, BEES)
    chat = open_talk(open_page, memory_site, bees)
    expect(chat.episodes).to_contain_text("bees")
    chat.button("All").click()
    expect(chat.episodes).to_have_count(2)
    chat.episodes.filter(has_text="Albatross").get_by_role("link").click()
    expect(chat.page).to_have_url(f"{memory_site.url}/c/{boat}#0")
    expect(chat.questions.first).to_have_text(BOAT[0])
    expect(chat.page.locator('[data-sequence="0"]')).to_be_focused()
    chat.page.go_back()
    expect(chat.questions.first).to_have_text(BEES[0])


def test_older_episodes_come_when_they_are_asked_for(
    open_page: OpenPage, memory_site: Site
) -> None:
    walks = [walk(number) for number in range(MANY)]
    memory_site.post("/api/v1/imports", {"conversations": walks})
    listed = "/api/v1/episodes?limit=100"
    wait_for(lambda: len(memory_site.get(listed)["episodes"]) == MANY, WORK_MS / 1000)
    chat = open_page(memory_site.url)
    expect(chat.episodes).to_have_count(MANY - 1)
    chat.panel.get_by_role("button", name="Show older").click()
    expect(chat.episodes).to_have_count(MANY)
    expect(chat.panel.get_by_role("button", name="Show older")).to_be_hidden()


def walk(number: int) -> dict[str, object]:
    """A past conversation of four messages."""
    message = {"role": "user", "content": f"Walk {number} went along the river."}
    answer = {"role": "assistant", "content": "A fine walk."}
    return {"id": f"walk-{number}", "messages": [message, answer, message, answer]}
