"""What is told of a reply that ends while the reader looks elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Worker, expect

from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.conftest import PATIENCE_MS
from tests.e2e.page.tabs import make_profile
from tests.e2e.site import Site
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.waiting import wait_for

#: Stands in for the browser's notifications, and lets a test hide the page.
EDGE = """
window.shown = [];
window.asked = 0;
window.Notification = class extends EventTarget {
  static permission = 'ANSWER' === 'granted' ? 'default' : 'denied';
  static async requestPermission() {
    window.asked += 1;
    return Notification.permission = 'ANSWER';
  }
  constructor(title, options) {
    super();
    window.shown.push({ title, body: options.body, tag: options.tag });
    window.newest = this;
  }
  close() {}
};
let isHidden = false;
Object.defineProperty(document, 'hidden', { get: () => isHidden });
window.hide = (hidden) => {
  isHidden = hidden;
  document.dispatchEvent(new Event('visibilitychange'));
};
"""
#: Lets a test call what a worker may do after a click alone, and writes down what it did.
WITHOUT_A_CLICK = """() => {
  self.done = [];
  self.shown = [];
  const { prototype } = ServiceWorkerRegistration;
  prototype.showNotification = async (heading, { data }) => void shown.push(data);
  WindowClient.prototype.focus = async () => void done.push('focus');
  Clients.prototype.openWindow = async (address) => void done.push(`open ${address}`);
}"""
#: Only the worker may show notifications.
AS_ON_A_PHONE = """() => {
  window.Notification = class {
    static permission = 'granted';
    constructor() {
      throw new TypeError('Illegal constructor');
    }
  };
}"""
REPLY = "The vault opens at nine."

OpenAnswering = Callable[[str], ChatPage]


@pytest.fixture
def open_answering(browser: Browser, scripted_site: Site) -> Iterator[OpenAnswering]:
    """`open_answering("granted")`: a page in a browser whose reader answers so, when asked."""
    chats: list[ChatPage] = []

    def open_(answer: str) -> ChatPage:
        context = make_profile(browser)
        context.add_init_script(EDGE.replace("ANSWER", answer))
        chat = ChatPage(context.new_page(), scripted_site.url)
        chats.append(chat)
        chat.open()
        return chat

    yield open_
    for chat in chats:
        chat.page.context.close()
    assert [chat.problems for chat in chats] == [[] for _ in chats]


def open_setting(chat: ChatPage) -> Locator:
    chat.button("Settings").click()
    return chat.page.get_by_label("Notify me when a reply is done")


def shown(chat: ChatPage) -> list[dict[str, Any]]:
    notifications: list[dict[str, Any]] = chat.page.evaluate("window.shown")
    return notifications


def ask_and_look_away(chat: ChatPage, model: FakeOpenAI, question: str) -> None:
    model.script(Scripted(text=REPLY))
    chat.page.evaluate("window.hide(true)")
    chat.ask(question)


def test_a_hidden_page_counts_replies_and_tells_of_them_while_that_is_switched_on(
    open_answering: OpenAnswering, model_server: FakeOpenAI
) -> None:
    """The title is shown, and nothing of the reply."""
    chat = open_answering("granted")
    ask_and_look_away(chat, model_server, "When does it open?")
    expect(chat.page).to_have_title("(1) When does it open? · Throughline")
    chat.page.evaluate("window.hide(false)")
    expect(chat.page).to_have_title("When does it open? · Throughline")
    assert shown(chat) == []
    assert chat.page.evaluate("window.asked") == 0

    open_setting(chat).check()
    chat.page.keyboard.press("Escape")
    chat.ask("Seen, so untold.")
    assert shown(chat) == []
    ask_and_look_away(chat, model_server, "And when does it close?")
    path = f"/c/{chat.conversation_id}"
    wait_for(lambda: shown(chat), PATIENCE_MS / 1000)
    notices = [{"title": "When does it open?", "body": "The reply is finished.", "tag": path}]
    assert shown(chat) == notices
    chat.page.evaluate("window.hide(false)")
    chat.page.get_by_role("link", name="New chat").click()
    expect(chat.page.locator("#welcome")).to_be_visible()
    chat.page.evaluate("window.newest.dispatchEvent(new Event('click'))")
    expect(chat.page).to_have_url(chat.url + path)
    expect(chat.replies).to_have_count(3)

    open_setting(chat).uncheck()
    chat.page.keyboard.press("Escape")
    ask_and_look_away(chat, model_server, "Quietly, please.")
    expect(chat.page).to_have_title("(1) When does it open? · Throughline")
    assert shown(chat) == notices


def begin_temporarily(chat: ChatPage) -> None:
    chat.page.locator("#choice").get_by_text("Temporary", exact=True).click()
    chat.ask("Between us.")


def find_worker(chat: ChatPage) -> Worker:
    """Playwright may hear of it after the page does."""

    def find() -> list[Worker]:
        chat.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        return chat.page.context.service_workers

    [worker] = wait_for(find)
    return worker


def test_a_click_on_a_notification_shows_its_chat_and_ends_no_temporary_one(
    open_answering: OpenAnswering, model_server: FakeOpenAI
) -> None:
    chat = open_answering("granted")
    open_setting(chat).check()
    chat.page.keyboard.press("Escape")
    begin_temporarily(chat)
    ask_and_look_away(chat, model_server, "Still there?")
    wait_for(lambda: shown(chat), PATIENCE_MS / 1000)
    chat.page.evaluate("window.newest.dispatchEvent(new Event('click'))")
    chat.page.evaluate("window.hide(false)")
    expect(chat.questions).to_have_text(["Between us.", "Still there?"])

    worker = find_worker(chat)
    worker.evaluate(WITHOUT_A_CLICK)
    chat.page.evaluate(AS_ON_A_PHONE)
    ask_and_look_away(chat, model_server, "And now?")
    texts = [message["content"] for message in model_server.requests[-1].body["messages"][1:]]
    assert texts == ["Between us.", "Hello from the fake.", "Still there?", REPLY, "And now?"]
    wait_for(lambda: worker.evaluate("shown.length") == 1, PATIENCE_MS / 1000)
    chat.page.evaluate("window.hide(false)")
    worker.evaluate("showChat(shown[0])")
    chat.ask("And then?")
    expect(chat.questions).to_have_text(["Between us.", "Still there?", "And now?", "And then?"])
    chat.page.get_by_role("link", name="New chat").click()
    ask_and_look_away(chat, model_server, "Is this stored?")
    address = f"/c/{chat.conversation_id}"
    wait_for(lambda: worker.evaluate("shown.length") == 2, PATIENCE_MS / 1000)
    chat.page.evaluate("window.hide(false)")
    chat.page.get_by_role("link", name="New chat").click()
    expect(chat.page.locator("#welcome")).to_be_visible()
    worker.evaluate("showChat(shown[1])")
    expect(chat.page).to_have_url(chat.url + address)
    expect(chat.questions).to_have_text(["Is this stored?"])
    worker.evaluate("showChat({ ...shown[1], page: 'that is closed' })")
    assert worker.evaluate("done") == ["focus", "focus", f"open {address}"]


def test_it_says_so_when_the_browser_refuses(open_answering: OpenAnswering) -> None:
    chat = open_answering("denied")
    box = open_setting(chat)
    box.click()
    expect(chat.page.locator("#notify-denied")).to_be_visible()
    expect(box).not_to_be_checked()
