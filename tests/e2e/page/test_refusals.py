"""What is not taken is said in a sentence, and nothing that was typed is lost."""

from __future__ import annotations

import json
import re
from contextlib import ExitStack
from functools import partial

from playwright.sync_api import FilePayload, Route, expect

from tests.e2e.page.chat_page import NOTHING, ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.site import Site

#: What the page asks for when a chat is opened.
LOADED = (
    "/messages",
    "/api/v1/agents",
    "/api/v1/status",
    "/api/v1/projects",
    r"/api/v1/conversations\?",
)
BUSY = {"error": {"code": "busy", "message": "Too many replies are being written right now."}}


def test_a_busy_server_gives_the_message_back_and_keeps_what_was_chosen_for_it(
    chat: ChatPage,
) -> None:
    def refuse(route: Route) -> None:
        headers = {"Retry-After": "7", "Content-Type": "application/json"}
        route.fulfill(status=503, headers=headers, body=json.dumps(BUSY))

    chat.page.locator("#choice").get_by_text("Off", exact=True).click()
    chat.route("**/chat", refuse)
    chat.send("Hear me out.")
    expect(chat.page.get_by_role("alert")).to_contain_text("Try again in 7 seconds.")
    expect(chat.box).to_have_value("Hear me out.")
    expect(chat.replies).to_have_count(0)
    expect(chat.page.locator("#mode-off")).to_be_checked()
    chat.send("  Hear me out.\n")
    expect(chat.page.get_by_role("alert")).to_contain_text("Not sent.")
    expect(chat.box).to_have_value("  Hear me out.\n")
    chat.expect_problem("503")
    chat.page.unroute("**/chat")
    chat.box.press("Enter")
    expect(chat.reply_text).to_have_text("Hello from the fake.")
    chat.wait_for_end()
    expect(chat.page.locator("#chips")).to_contain_text("Memory off")


def test_a_message_that_arrived_although_no_answer_came_is_not_asked_for_again(
    chat: ChatPage, scripted_site: Site
) -> None:
    chat.ask("First.")
    conversation_id = chat.conversation_id

    def lose_the_answer(route: Route) -> None:
        body = json.loads(route.request.post_data or "")
        scripted_site.post("/chat", body | {"stream": False})
        route.abort("connectionreset")

    chat.route("**/chat", lose_the_answer)
    chat.send("Second.")
    expect(chat.questions).to_have_text(["First.", "Second."])
    expect(chat.replies).to_have_count(2)
    expect(chat.box).to_have_value("")
    chat.expect_problem("ERR_CONNECTION_RESET")
    chat.page.unroute("**/chat")
    chat.forget_problems()

    # Nor are files sent again that arrived with it.
    file: FilePayload = {"name": "notes.md", "mimeType": "text/markdown", "buffer": b"A key."}
    chat.page.locator("#attach-files").set_input_files(file)
    expect(chat.page.locator("#composer .file")).to_contain_text("6 byte")
    routes: list[Route] = []
    chat.route("**/chat", lambda route: routes.append(route))  # noqa: PLW0108
    with chat.page.expect_request("**/chat"):
        chat.send("Third.")
    chat.box.fill("And what I type meanwhile")
    sending = chat.await_held(routes)
    body = json.loads(sending.request.post_data or "")
    assert len(body["attachments"]) == 1
    scripted_site.post("/chat", body | {"stream": False})
    sending.abort("connectionreset")
    expect(chat.questions).to_have_text(["First.", "Second.", "Third."])
    chat.page.wait_for_function(
        "id => !localStorage.getItem(`throughline.files.${id}`)", arg=conversation_id
    )
    expect(chat.box).to_have_value("And what I type meanwhile")
    chat.page.reload()
    expect(chat.box).to_have_value("And what I type meanwhile")
    chat.expect_problem("ERR_CONNECTION_RESET")


def test_what_arrived_is_no_draft_for_a_reader_who_left_and_came_back(
    chat: ChatPage, scripted_site: Site
) -> None:
    other = scripted_site.chat("Another chat.")["conversation_id"]
    chat.ask("First.")
    conversation_id = chat.conversation_id
    sending: list[Route] = []
    asking: list[Route] = []
    chat.route("**/chat", lambda route: sending.append(route))  # noqa: PLW0108
    chat.route("**/messages?after=*", lambda route: asking.append(route))  # noqa: PLW0108
    with chat.page.expect_request("**/chat"):
        chat.send("Second.")
    body = json.loads(chat.await_held(sending).request.post_data or "")
    scripted_site.post("/chat", body | {"stream": False})
    with chat.page.expect_request("**/messages?after=*"):
        chat.page.locator(f"#conversation-{other}").click()
    expect(chat.questions).to_have_text(["Another chat."])
    chat.page.locator(f"#conversation-{conversation_id}").click()
    expect(chat.questions).to_have_text(["First.", "Second."])
    expect(chat.box).to_have_value("Second.")
    chat.await_held(asking).continue_()
    expect(chat.box).to_have_value("")
    chat.page.reload()
    expect(chat.questions).to_have_text(["First.", "Second."])
    expect(chat.box).to_have_value("")


def test_where_the_server_is_away_the_message_comes_back_with_one_notice(
    chat: ChatPage, scripted_site: Site
) -> None:
    other = scripted_site.chat("Another chat.")["conversation_id"]
    chat.ask("First.")
    conversation_id = chat.conversation_id
    routes: list[Route] = []
    chat.route("**/chat", lambda route: route.abort("connectionrefused"))
    chat.route(
        f"**/api/v1/conversations/{conversation_id}/messages*",
        lambda route: route.abort("connectionrefused"),
    )
    chat.send("Second.")
    expect(chat.page.locator(".notice")).to_contain_text(["The server cannot be reached."])
    expect(chat.box).to_have_value("Second.")
    expect(chat.questions).to_have_text(["First."])

    # The reader goes on to another chat while the page asks whether the message has arrived.
    def hold_the_first(route: Route) -> None:
        routes.append(route)
        if len(routes) > 1:
            route.abort("connectionrefused")

    chat.route(f"**/api/v1/conversations/{conversation_id}/messages*", hold_the_first)
    with chat.page.expect_request(f"**/api/v1/conversations/{conversation_id}/messages*"):
        chat.box.press("Enter")
    chat.box.fill("And more")
    chat.page.locator(f"#conversation-{other}").click()
    expect(chat.questions).to_have_text(["Another chat."])
    chat.page.wait_for_function(
        "id => localStorage.getItem(`throughline.draft.${id}`) === 'Second.\\nAnd more'",
        arg=conversation_id,
    )
    expect(chat.box).to_have_value("")
    chat.page.unroute("**/chat")
    chat.page.unroute(f"**/api/v1/conversations/{conversation_id}/messages*")
    chat.page.go_back()
    expect(chat.questions).to_have_text(["First."])
    expect(chat.box).to_have_value("Second.\nAnd more")
    chat.box.press("Enter")
    expect(chat.questions).to_have_text(["First.", "Second.\nAnd more"])
    chat.wait_for_end()
    chat.expect_problem("ERR_CONNECTION_REFUSED")


def test_what_fails_for_one_reason_is_told_once_and_not_after_it_is_over(
    open_page: OpenPage, scripted_site: Site
) -> None:
    conversation_id = scripted_site.chat("A chat to open.")["conversation_id"]
    chat = open_page(scripted_site.url, path=NOTHING)
    everything = f"{scripted_site.url}/api/**"
    codes = {500: "internal", 503: "database_unavailable", 429: "too_many_at_once"}
    for status, code in codes.items():
        answer = {"error": {"code": code, "message": "No."}}
        chat.route(everything, partial(Route.fulfill, status=status, json=answer))
        with ExitStack() as loading:
            for part in LOADED:
                loading.enter_context(chat.page.expect_response(re.compile(part)))
            chat.open(f"/c/{conversation_id}")
        expect(chat.page.locator(".notice").first).to_be_visible()
        assert chat.page.locator(".notice").count() == 1
        chat.page.unroute(everything)
        chat.expect_problem(str(status))
    chat.route(everything, lambda route: route.abort("connectionrefused"))
    chat.open(f"/c/{conversation_id}")
    expect(chat.page.locator(".notice")).to_have_text(
        "The server cannot be reached. Check your connection."
    )
    chat.page.unroute(everything)
    expect(chat.page.locator(f"#conversation-{conversation_id}")).to_be_visible()
    expect(chat.page.locator(".notice")).to_have_count(0)
    chat.expect_problem("ERR_CONNECTION_REFUSED")

    # An address that leads nowhere leads to a new chat.
    chat.open("/c/00000000-0000-4000-8000-000000000000")
    expect(chat.page.get_by_role("alert")).to_contain_text("There is nothing here")
    expect(chat.page.get_by_role("heading", name="Pick up the thread.")).to_be_visible()
    expect(chat.page).to_have_url(f"{scripted_site.url}/")
    chat.expect_problem("404")


def hold_next(chat: ChatPage, pattern: str) -> list[Route]:
    """The first request of these waits in the list; while it is not empty, the others go on."""
    routes: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if routes:
            route.continue_()
        else:
            routes.append(route)

    chat.route(pattern, hold_the_first)
    return routes


def test_what_is_sent_while_a_chat_opens_goes_there_and_nothing_of_the_other_is_lost(
    chat: ChatPage, scripted_site: Site
) -> None:
    other = scripted_site.chat("Another chat.")["conversation_id"]
    row = chat.page.locator(f"#conversation-{other}")
    messages = f"**/api/v1/conversations/{other}/messages*"
    draft = "id => localStorage.getItem(`throughline.draft.${id}`)"
    chat.ask("First.")
    conversation_id = chat.conversation_id
    row.click()
    expect(chat.questions).to_have_text(["Another chat."])
    chat.box.fill("A draft of the other")
    chat.page.go_back()
    expect(chat.questions).to_have_text(["First."])

    routes = hold_next(chat, messages)
    with chat.page.expect_request(messages):
        row.click()
    chat.send("Meant for the other.")
    expect(chat.box).to_have_value("")
    chat.await_held(routes).continue_()
    expect(chat.questions).to_have_text(["Another chat.", "Meant for the other."])
    expect(chat.replies).to_have_count(2)
    chat.wait_for_end()
    assert chat.conversation_id == other
    expect(chat.box).to_have_value("A draft of the other")
    assert chat.page.evaluate(draft, conversation_id) is None
    turns = scripted_site.get(f"/api/v1/conversations/{other}/messages")["messages"]
    texts = [turn["content"] for turn in turns if turn["role"] == "user"]
    assert texts[-1] == "Meant for the other."

    # Where the other one cannot be opened, the message comes back.
    chat.page.go_back()
    expect(chat.questions).to_have_text(["First."])
    routes.clear()
    with chat.page.expect_request(messages):
        row.click()
    chat.send("Meant for the other, too.")
    expect(chat.box).to_have_value("")
    chat.await_held(routes).abort("connectionrefused")
    expect(chat.box).to_have_value("Meant for the other, too.")
    expect(chat.questions).to_have_text(["First."])
    chat.expect_problem("ERR_CONNECTION_REFUSED")
