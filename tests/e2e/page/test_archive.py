"""Chats that are put away, and brought back."""

from __future__ import annotations

from playwright.sync_api import Route, expect

from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.page.rows import choose, row
from tests.e2e.site import Site


def test_an_archived_chat_leaves_the_list_and_comes_back(
    chat: ChatPage, scripted_site: Site
) -> None:
    chat.ask("A thrush sings.")
    conversation_id = chat.conversation_id
    choose(chat, conversation_id, "Archive")
    expect(chat.page.get_by_role("alert")).to_contain_text("“A thrush sings.” is archived.")
    expect(row(chat, conversation_id)).to_have_count(0)
    chat.button("Undo").click()
    expect(row(chat, conversation_id)).to_be_visible()
    choose(chat, conversation_id, "Archive")
    expect(row(chat, conversation_id)).to_have_count(0)
    chat.page.get_by_role("link", name="New chat").click()
    chat.button("Archived chats").click()
    dialog = chat.page.get_by_role("dialog", name="Archived chats")
    dialog.get_by_role("link", name="A thrush sings.").click()
    expect(dialog).to_be_hidden()
    expect(chat.questions).to_have_text(["A thrush sings."])
    expect(chat.page.locator("#title")).to_have_text("A thrush sings.")
    expect(chat.page.get_by_text("This chat is archived.")).to_be_visible()
    chat.ask("Does it still?")
    expect(chat.page.get_by_text("This chat is archived.")).to_be_hidden()
    expect(row(chat, conversation_id)).to_be_visible()
    expect(chat.page.locator("#title")).to_have_text("A thrush sings.")
    assert (
        scripted_site.get(f"/api/v1/conversations/{conversation_id}/messages")["archived"] is False
    )


def test_an_archived_chat_is_brought_back_from_its_header_and_late_leaves_the_open_one_alone(
    chat: ChatPage, scripted_site: Site
) -> None:
    other = scripted_site.chat("A wren sings.")["conversation_id"]
    chat.ask("A siskin sings.")
    conversation_id = chat.conversation_id
    choose(chat, conversation_id, "Archive")
    expect(chat.page.get_by_text("This chat is archived.")).to_be_visible()
    chat.button("Bring back").click()
    expect(chat.page.get_by_text("This chat is archived.")).to_be_hidden()
    expect(row(chat, conversation_id)).to_be_visible()
    assert (
        scripted_site.get(f"/api/v1/conversations/{conversation_id}/messages")["archived"] is False
    )

    choose(chat, conversation_id, "Archive")
    expect(chat.page.get_by_text("This chat is archived.")).to_be_visible()
    routes: list[Route] = []
    address = f"**/api/v1/conversations/{conversation_id}"
    chat.route(address, lambda route: routes.append(route))  # noqa: PLW0108
    with chat.page.expect_request(address):
        chat.button("Bring back").click()
    row(chat, other).click()
    expect(chat.questions).to_have_text(["A wren sings."])
    chat.await_held(routes).continue_()
    expect(chat.page.locator("#announcer")).to_contain_text("is back in the list.")
    expect(row(chat, conversation_id)).to_be_visible()
    expect(chat.page.locator("#title")).to_have_text("A wren sings.")
    chat.button("This conversation’s settings").click()
    chat.page.get_by_role("textbox", name="Title").fill("The wren")
    chat.page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(chat.page.locator("#title")).to_have_text("The wren")
    title = scripted_site.get(f"/api/v1/conversations/{other}/messages")["title"]
    assert title == "The wren"


def test_a_chat_is_brought_back_from_the_archive_or_deleted(
    open_page: OpenPage, scripted_site: Site
) -> None:
    ids = [scripted_site.chat(text)["conversation_id"] for text in ("A kite.", "A buzzard.")]
    for conversation_id in ids:
        scripted_site.patch(f"/api/v1/conversations/{conversation_id}", {"archived": True})
    chat = open_page(scripted_site.url)
    chat.button("Archived chats").click()
    dialog = chat.page.get_by_role("dialog", name="Archived chats")
    chat.button("Bring back A kite.").click()
    expect(dialog.get_by_role("link", name="A kite.")).to_have_count(0)
    expect(row(chat, ids[0])).to_have_count(1)
    chat.button("Delete A buzzard.").click()
    chat.button("Undo").hover()  # its notice stays meanwhile
    expect(dialog).to_be_hidden()
    expect(chat.page.get_by_role("alert")).to_contain_text("“A buzzard.” was deleted.")
    chat.button("Undo").click()
    expect(row(chat, ids[1])).to_have_count(0)  # it is archived as before
