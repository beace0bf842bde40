"""A conversation's own settings: its title, what memory may do, its end."""

from __future__ import annotations

import json
from http import HTTPStatus
from uuid import uuid4

import httpx
from playwright.sync_api import Locator, Route, expect

from tests.e2e.page.chat_page import NOTHING, ChatPage
from tests.e2e.page.conftest import PATIENCE_MS, OpenPage
from tests.e2e.site import Site
from tests.waiting import wait_for

UNDO_MS = 8500
PATIENCE_S = PATIENCE_MS / 1000
# What the page asked to be deleted last; the request is lost while `losing` is stored.
WATCH_DELETIONS = """
  const send = window.fetch;
  window.fetch = (path, options) => {
    if (options?.method !== 'DELETE' || path.includes('dry_run')) return send(path, options);
    sessionStorage.sent ??= JSON.stringify({ path, keepalive: options.keepalive });
    return localStorage.losing ? new Promise(() => {}) : send(path, options);
  };"""
KEPT_DELETIONS = "Object.keys(localStorage).filter((name) => name.includes('deleting'))"


def open_settings(chat: ChatPage) -> Locator:
    chat.button("This conversation’s settings").click()
    return chat.page.get_by_role("dialog", name="This conversation")


def exists(site: Site, conversation_id: str) -> bool:
    path = f"{site.url}/api/v1/conversations/{conversation_id}/messages"
    return httpx.get(path, timeout=60).status_code != HTTPStatus.NOT_FOUND


def test_a_conversation_is_renamed_and_memory_may_do_less(
    chat: ChatPage, scripted_site: Site
) -> None:
    expect(chat.button("This conversation’s settings")).to_be_hidden()  # none of a new chat yet
    chat.ask("Something about ships.")
    settings = open_settings(chat)
    expect(settings.get_by_label("Title")).to_have_value("Something about ships.")
    settings.get_by_label("Title").fill("Ships")
    settings.get_by_label("Title").press("Enter")
    expect(chat.page.get_by_role("heading", name="Ships")).to_be_visible()
    expect(chat.page.get_by_role("link", name="Ships", exact=True)).to_be_visible()
    chat.page.reload()
    expect(chat.page.get_by_role("heading", name="Ships")).to_be_visible()

    open_settings(chat)
    expect(settings.get_by_label("On Recalls")).to_be_checked()
    expect(settings.get_by_label("Off Neither")).to_be_disabled()
    settings.get_by_label("Learn only").check()
    settings.get_by_role("button", name="Save").click()
    expect(chat.page.locator("#chips")).to_contain_text("Learns only")
    stored = scripted_site.get(f"/api/v1/conversations/{chat.conversation_id}/messages")
    assert stored["mode"] == "passive"


def test_off_stays_off(chat: ChatPage) -> None:
    chat.page.locator("#choice").get_by_text("Off", exact=True).click()
    chat.ask("Forget what I say.")
    expect(chat.panel).to_contain_text("Memory is off in this conversation.")
    settings = open_settings(chat)
    expect(settings.get_by_label("Off Neither")).to_be_checked()
    expect(settings.get_by_label("On Recalls")).to_be_disabled()
    expect(settings).to_contain_text("Off is chosen when a chat begins, and stays.")


def test_a_conversation_is_deleted_for_good(chat: ChatPage) -> None:
    chat.ask("Something to be forgotten.")
    path = f"/c/{chat.conversation_id}"
    chat.box.fill("half a thought")
    chat.stop_clock()
    open_settings(chat).get_by_role("button", name="Delete").click()
    expect(chat.page.get_by_role("heading", name="Pick up the thread.")).to_be_visible()
    expect(chat.page.locator(f'a[href="{path}"]')).to_have_count(0)
    expect(chat.box).to_be_focused()
    expect(chat.button("Undo")).to_be_visible()
    with chat.page.expect_response(lambda answer: answer.request.method == "DELETE") as deleted:
        chat.page.clock.fast_forward(UNDO_MS)
    assert deleted.value.ok
    expect(chat.button("Undo")).to_have_count(0)
    assert "half a thought" not in chat.page.evaluate("JSON.stringify(localStorage)")
    chat.open(path)
    expect(chat.page.get_by_role("alert")).to_contain_text("There is nothing here")
    chat.expect_problem("404")


def test_what_was_deleted_comes_back_with_its_draft_or_with_a_sentence(
    open_page: OpenPage, scripted_site: Site
) -> None:
    older, newer = (
        scripted_site.chat(text)["conversation_id"] for text in ("The older one.", "The newer one.")
    )
    path = f"/c/{older}"
    chat = open_page(scripted_site.url, path=path)
    expect(chat.questions).to_have_text("The older one.")
    chat.box.fill("half a thought")
    open_settings(chat).get_by_role("button", name="Delete").click()
    chat.button("Undo").hover()  # its notice stays meanwhile
    expect(chat.page.locator(f'a[href="{path}"]')).to_have_count(0)
    chat.button("Undo").click()
    expect(chat.page.locator(f'a[href="{path}"]')).to_be_visible()
    expect(chat.page).to_have_url(f"{scripted_site.url}{path}")
    expect(chat.questions).to_have_text("The older one.")
    expect(chat.box).to_have_value("half a thought")

    row = chat.page.locator(f"#conversation-{newer}")
    row.press("Delete")
    chat.button("Undo").hover()
    expect(row).to_have_count(0)
    expect(chat.page.locator(f"#conversation-{older}")).to_be_focused()
    expect(chat.page.get_by_role("alert")).to_contain_text("“The newer one.” was deleted.")
    chat.button("Undo").click()
    expect(row).to_be_visible()

    chat.route(f"**/api/v1/conversations/{newer}", refuse_to_delete)
    row.press("Delete")
    expect(row).to_have_count(0)
    chat.button("Dismiss").click()
    expect(chat.page.get_by_role("alert")).to_contain_text("The database cannot be reached")
    expect(row).to_be_visible()
    chat.expect_problem("503")


def refuse_to_delete(route: Route) -> None:
    if route.request.method != "DELETE":
        route.fallback()
        return
    body = json.dumps({"error": {"code": "database_unavailable", "message": "Away."}})
    route.fulfill(status=503, content_type="application/json", body=body)


def test_what_is_deleted_on_a_page_that_is_left_is_gone(
    open_page: OpenPage, scripted_site: Site
) -> None:
    conversation_id = scripted_site.chat("To be gone at once.")["conversation_id"]
    chat = open_page(scripted_site.url, path=NOTHING)
    chat.run_first(WATCH_DELETIONS)
    chat.open()
    chat.page.locator(f"#conversation-{conversation_id}").press("Delete")
    expect(chat.button("Undo")).to_be_visible()
    chat.open("/offline")
    request = chat.page.evaluate("JSON.parse(sessionStorage.sent)")
    assert request == {"path": f"/api/v1/conversations/{conversation_id}", "keepalive": True}
    chat.open()
    wait_for(lambda: not exists(scripted_site, conversation_id), PATIENCE_S)
    wait_for(lambda: not chat.page.evaluate(KEPT_DELETIONS), PATIENCE_S)
    chat.permit_problem("404")  # it was deleted before


def test_a_deletion_whose_request_is_lost_is_carried_out_by_the_next_page(
    open_page: OpenPage, scripted_site: Site
) -> None:
    conversation_id = scripted_site.chat("To be gone later.")["conversation_id"]
    chat = open_page(scripted_site.url)
    row = chat.page.locator(f"#conversation-{conversation_id}")
    chat.stop_clock()
    row.press("Delete")
    expect(row).to_have_count(0)
    other = ChatPage(chat.page.context.new_page(), scripted_site.url)
    other.open()
    expect(other.page.locator(".conversation").first).to_be_visible()
    expect(other.page.locator(f"#conversation-{conversation_id}")).to_have_count(0)
    chat.button("Undo").click()
    expect(row).to_be_visible()
    expect(other.page.locator(f"#conversation-{conversation_id}")).to_be_visible()
    assert chat.page.evaluate(KEPT_DELETIONS) == []
    other.page.close()
    chat.page.clock.resume()

    chat.run_first(WATCH_DELETIONS)
    chat.page.evaluate("localStorage.losing = 'yes'")
    chat.page.reload()
    row.press("Delete")
    expect(row).to_have_count(0)
    chat.open("/offline")
    assert exists(scripted_site, conversation_id)
    # The deletion of a chat that another device has deleted.
    chat.page.evaluate(f"localStorage['throughline.deleting.{uuid4()}'] = '1'")
    chat.page.evaluate("localStorage.removeItem('losing')")
    chat.open()
    wait_for(lambda: not chat.page.evaluate(KEPT_DELETIONS), PATIENCE_S)
    assert not exists(scripted_site, conversation_id)
    expect(chat.page.locator(".conversation").first).to_be_visible()
    expect(row).to_have_count(0)
    chat.expect_problem("404")


def test_a_chat_that_another_tab_is_deleting_is_left_and_each_has_its_undo(
    open_page: OpenPage, scripted_site: Site
) -> None:
    conversation_id, twin_id = (
        scripted_site.chat("Of one title.")["conversation_id"] for _ in range(2)
    )
    chat = open_page(scripted_site.url, path=NOTHING)
    chat.page.evaluate(f"localStorage['throughline.deleting.{conversation_id}'] = 'undone'")
    chat.open()
    row = chat.page.locator(f"#conversation-{conversation_id}")
    expect(row).to_be_visible()
    chat.stop_clock()
    other = ChatPage(chat.page.context.new_page(), scripted_site.url)
    other.open(f"/c/{conversation_id}")
    expect(other.questions).to_have_text("Of one title.")
    other.box.fill("half a thought")
    row.press("Delete")
    expect(other.questions).to_have_count(0)
    expect(other.page.get_by_role("alert")).to_contain_text("“Of one title.” was deleted.")
    other.open(f"/c/{conversation_id}")
    expect(other.button("Undo")).to_be_visible()
    expect(other.page).to_have_url(f"{scripted_site.url}/")
    expect(other.questions).to_have_count(0)
    chat.page.locator(f"#conversation-{twin_id}").press("Delete")
    expect(chat.button("Undo")).to_have_count(2)
    other.button("Undo").click()
    expect(other.questions).to_have_text("Of one title.")
    expect(other.box).to_have_value("half a thought")
    expect(row).to_be_visible()
    expect(chat.button("Undo")).to_have_count(1)
    chat.button("Undo").click()
    expect(chat.page.locator(f"#conversation-{twin_id}")).to_be_visible()
    assert chat.page.evaluate(KEPT_DELETIONS) == []
    assert exists(scripted_site, conversation_id)
    other.page.close()


def test_the_settings_of_an_old_conversation_open_on_a_phone(
    open_page: OpenPage, scripted_site: Site
) -> None:
    conversation_id = scripted_site.chat("From elsewhere.")["conversation_id"]
    chat = open_page(scripted_site.url, path=f"/c/{conversation_id}", width=360, height=740)
    settings = open_settings(chat)
    expect(settings.get_by_role("button", name="Save")).to_be_in_viewport()
    settings.get_by_role("button", name="Close").click()
    expect(chat.button("This conversation’s settings")).to_be_focused()
