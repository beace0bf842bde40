"""What is not taken is said in a sentence, and nothing that was typed is lost."""

from __future__ import annotations

import json

from playwright.sync_api import Route, expect

from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.site import Site

BUSY = {"error": {"code": "busy", "message": "Too many replies are being written right now."}}


def test_a_busy_server_gives_the_message_back(chat: ChatPage) -> None:
    def refuse(route: Route) -> None:
        headers = {"Retry-After": "7", "Content-Type": "application/json"}
        route.fulfill(status=503, headers=headers, body=json.dumps(BUSY))

    chat.page.route("**/chat", refuse)
    chat.send("Hear me out.")
    expect(chat.page.get_by_role("alert")).to_contain_text("Try again in 7 seconds.")
    expect(chat.box).to_have_value("Hear me out.")
    expect(chat.replies).to_have_count(0)
    chat.expect_problem("503")
    chat.page.unroute("**/chat")
    chat.box.press("Enter")
    expect(chat.reply_text).to_have_text("Hello from the fake.")


def test_a_message_that_arrived_although_no_answer_came_is_not_asked_for_again(
    chat: ChatPage, scripted_site: Site
) -> None:
    chat.ask("First.")

    def lose_the_answer(route: Route) -> None:
        sent = json.loads(route.request.post_data or "")
        scripted_site.post("/chat", sent | {"stream": False})
        route.abort("connectionreset")

    chat.page.route("**/chat", lose_the_answer)
    chat.send("Second.")
    expect(chat.questions).to_have_text(["First.", "Second."])
    expect(chat.replies).to_have_count(2)
    expect(chat.box).to_have_value("")
    chat.expect_problem("ERR_CONNECTION_RESET")


def test_without_a_network_the_message_comes_back_and_the_page_says_so(chat: ChatPage) -> None:
    chat.ask("First.")
    chat.page.context.set_offline(True)
    expect(chat.page.get_by_text("You are offline.")).to_be_visible()
    chat.send("Second.")
    expect(chat.page.get_by_role("alert")).to_contain_text("The server cannot be reached.")
    expect(chat.box).to_have_value("Second.")
    expect(chat.questions).to_have_text(["First."])
    chat.page.context.set_offline(False)
    expect(chat.page.get_by_text("You are offline.")).to_be_hidden()
    chat.box.press("Enter")
    expect(chat.questions).to_have_text(["First.", "Second."])
    chat.expect_problem("ERR_INTERNET_DISCONNECTED")


def test_an_address_that_leads_nowhere_leads_to_a_new_chat(
    open_page: OpenPage, scripted_site: Site
) -> None:
    chat = open_page(scripted_site.url, path="/c/00000000-0000-4000-8000-000000000000")
    expect(chat.page.get_by_role("alert")).to_contain_text("There is nothing here")
    expect(chat.page.get_by_role("heading", name="Pick up the thread.")).to_be_visible()
    expect(chat.page).to_have_url(f"{scripted_site.url}/")
    chat.expect_problem("404")
