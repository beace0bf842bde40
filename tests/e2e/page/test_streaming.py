"""A reply while it is written: stopped, failed, taken up again."""

from __future__ import annotations

import threading

from playwright.sync_api import Route, expect

from tests.e2e.page.chat_page import NOTHING, ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.page.cut_line import running_line
from tests.e2e.site import Site
from tests.fakes.openai_server import FakeOpenAI, Scripted

COUNTED = " ".join(f"word{number}" for number in range(60))


# The shorter text has moved up what is seen. A busy browser tells of it when it is longer again.
SHRINKS_AND_GROWS = """async () => {
    const scroller = document.getElementById('scroller');
    const box = document.createElement('div');
    document.querySelector('.message.is-assistant').append(box);
    const settle = async () => {
        for (let count = 0; count < 4; count += 1) await new Promise(requestAnimationFrame);
    };
    box.style.height = '3000px';
    await settle();
    box.style.height = '1000px';
    const top = scroller.scrollTop;  // lays out
    box.style.height = '2000px';
    scroller.dispatchEvent(new Event('scroll'));
    await settle();
    return [top, scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight];
}"""


def start_held_reply(chat: ChatPage, model_server: FakeOpenAI) -> threading.Event:
    """A reply that waits for the event after some words."""
    goes_on = threading.Event()
    model_server.script(Scripted(text=COUNTED, goes_on=goes_on, held_after=10))
    count = chat.replies.count()
    chat.send("Count.")
    expect(chat.replies).to_have_count(count + 1)
    expect(chat.reply_text).to_contain_text("word5 ")
    expect(chat.stop_button).to_be_visible()  # so it is shown while it is still being written
    return goes_on


def test_a_reply_that_hangs_is_told_of_and_one_is_stopped_by_each_key_and_tried_again(
    open_page: OpenPage, scripted_site: Site, model_server: FakeOpenAI
) -> None:
    chat = open_page(scripted_site.url, path=NOTHING)
    chat.install_clock()
    chat.open()
    start_held_reply(chat, model_server)
    note = chat.replies.last.locator(".note")
    expect(note).to_be_hidden()
    chat.page.clock.fast_forward("00:21")
    expect(note).to_contain_text("has not written anything for 20 seconds")
    note.get_by_role("button", name="Stop").click()
    chat.wait_for_end()
    expect(note).to_contain_text("Stopped.")

    # What was written is kept.
    start_held_reply(chat, model_server)
    chat.stop_button.click()
    chat.wait_for_end()
    expect(chat.replies.last).to_have_attribute("data-status", "partial")
    expect(chat.replies.last).to_contain_text("Stopped.")
    expect(chat.reply_text).to_contain_text("word5 ")
    expect(chat.reply_text).not_to_contain_text("word59")

    start_held_reply(chat, model_server)
    chat.box.press("Escape")
    chat.wait_for_end()
    model_server.script(Scripted(text="All of it, this time."))
    chat.button("Try again").click()
    expect(chat.reply_text).to_have_text("All of it, this time.")
    expect(chat.replies).to_have_count(3)


def test_a_failed_reply_says_why_also_after_a_reload_and_can_be_tried_again(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    model_server.script(Scripted(status=401), Scripted(text="Here I am."))
    chat.ask("Are you there?")
    expect(chat.replies.last).to_have_attribute("data-status", "failed")
    expect(chat.replies.last).to_contain_text(
        "The server of fake-model does not accept the key it was given."
    )
    expect(chat.button("Try again")).to_be_visible()
    assert chat.conversation_id
    chat.page.reload()
    expect(chat.replies.last).to_have_attribute("data-status", "failed")
    chat.button("Try again").click()
    expect(chat.reply_text).to_have_text("Here I am.")
    expect(chat.replies.last).to_have_attribute("data-status", "complete")
    expect(chat.questions).to_have_count(1)


def test_a_reply_is_followed_to_its_end_and_taken_up_after_a_reload_and_another_chat(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    goes_on = start_held_reply(chat, model_server)
    top, left = chat.page.evaluate(SHRINKS_AND_GROWS)
    assert (0 < top < 1000, left < 2) == (True, True)
    expect(chat.button("Go to the newest message")).to_be_hidden()
    assert chat.conversation_id
    chat.page.reload()
    expect(chat.stop_button).to_be_visible()
    goes_on.set()
    chat.wait_for_end()
    expect(chat.reply_text).to_have_text(COUNTED)
    expect(chat.replies).to_have_count(1)

    goes_on = start_held_reply(chat, model_server)
    chat.page.get_by_role("link", name="New chat").click()
    chat.ask("Something else.")
    expect(chat.reply_text).to_have_text("Hello from the fake.")
    chat.page.go_back()
    expect(chat.questions).to_have_text(["Count.", "Count."])
    goes_on.set()
    expect(chat.reply_text).to_have_text(COUNTED, timeout=60_000)
    chat.wait_for_end()

    # The reader who scrolls up is left alone.
    chat.page.get_by_role("link", name="New chat").click()
    expect(chat.replies).to_have_count(0)
    chat.page.set_viewport_size({"width": 1280, "height": 500})
    lines = "\n\n".join(f"line {number}" for number in range(60))
    goes_on = threading.Event()
    text = lines.replace(" ", "  ")
    model_server.script(Scripted(text=text, goes_on=goes_on, held_after=70))
    chat.send("Go on.")
    expect(chat.reply_text).to_contain_text("line 30")
    expect(chat.reply_text.locator(".block").last).to_be_in_viewport()
    chat.page.locator("#scroller").hover()
    chat.page.mouse.wheel(0, -10_000)
    expect(chat.questions).to_be_in_viewport()
    goes_on.set()
    chat.wait_for_end()
    expect(chat.questions).to_be_in_viewport()
    chat.button("Go to the newest message").click()
    expect(chat.reply_text.locator(".block").last).to_be_in_viewport()


def test_a_dropped_connection_is_taken_up_where_it_broke(
    open_page: OpenPage, scripted_site: Site, model_server: FakeOpenAI
) -> None:
    with running_line(scripted_site.port) as line:
        chat = open_page(line.url)
        goes_on = start_held_reply(chat, model_server)
        with chat.page.expect_request("**/stream") as resumed:
            line.cut()
        goes_on.set()
        expect(chat.reply_text).to_have_text(COUNTED, timeout=60_000)
        chat.wait_for_end()
        assert not resumed.value.headers["last-event-id"].endswith("-0")
        chat.expect_problem("ERR_")
        chat.page.close()  # or the panel would go on asking over a line that is gone


def test_another_window_follows_the_same_reply_and_stops_it_once(
    chat: ChatPage, open_page: OpenPage, scripted_site: Site, model_server: FakeOpenAI
) -> None:
    start_held_reply(chat, model_server)
    path = f"/c/{chat.conversation_id}"
    other = open_page(scripted_site.url, path=path)
    expect(other.stop_button).to_be_visible()
    other.stop_button.click()
    chat.wait_for_end()
    expect(chat.replies.last).to_have_attribute("data-status", "partial")
    other.wait_for_end()

    # Two windows do not speak over each other.
    other.page.evaluate("window.dispatchEvent(new Event('pagehide'))")  # it follows no events
    start_held_reply(chat, model_server)
    other.send("Me too.")
    expect(other.page.get_by_role("alert")).to_contain_text("still being written")
    expect(other.box).to_have_value("Me too.")
    other.stop_button.click()
    for window in (chat, other):
        window.wait_for_end()
        expect(window.questions).to_have_text(["Count.", "Count."])
        expect(window.replies).to_have_count(2)
    other.expect_problem("409")

    # A reply is stopped before its stream has opened.
    start_held_reply(chat, model_server)
    routes: list[Route] = []

    def hold(route: Route) -> None:
        routes.append(route)

    other.route("**/stream*", hold)
    other.open(path)
    actions: list[str] = []
    other.page.on("request", lambda request: actions.append(request.url.rsplit("/", 1)[1]))
    with other.page.expect_response("**/stop"):
        other.stop_button.click()
    chat.wait_for_end()
    assert routes
    for stream in routes:
        stream.continue_()
    other.wait_for_end()
    expect(other.replies.last).to_have_attribute("data-status", "partial")
    assert actions.count("stop") == 1
