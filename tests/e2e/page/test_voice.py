"""Speaking a message, with a stand-in for the browser's recogniser."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.page.axe import AXE, find_serious
from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.tabs import make_profile
from tests.e2e.site import Site

#: `say([...])` gives all that was heard so far, as recognisers do; `fail(code)` ends with an error.
RECOGNISER = """
window.webkitSpeechRecognition = undefined;
window.SpeechRecognition = class extends EventTarget {
  start() { window.listening = this; }
  stop() { this.#end(); }
  abort() { this.fail('aborted'); }
  say(heard, resultIndex = 0) {
    const results = heard.map((transcript) => [{ transcript }]);
    this.dispatchEvent(Object.assign(new Event('result'), { results, resultIndex }));
  }
  fail(error) {
    this.dispatchEvent(Object.assign(new Event('error'), { error }));
    this.#end();
  }
  #end() { this.dispatchEvent(new Event('end')); }
};
"""
NONE = "window.SpeechRecognition = window.webkitSpeechRecognition = undefined;"
START = "Speak your message (the browser may send your voice to its maker)"
STOP = "Stop listening"

OpenWith = Callable[..., ChatPage]


@pytest.fixture
def open_with(browser: Browser, scripted_site: Site) -> Iterator[OpenWith]:
    """`open_with(SCRIPT)`: a page in a browser with such a recogniser."""
    chats: list[ChatPage] = []

    def open_(script: str, *, locale: str = "en") -> ChatPage:
        context = make_profile(browser, locale=locale)
        context.add_init_script(script)
        chat = ChatPage(context.new_page(), scripted_site.url)
        chats.append(chat)
        chat.open()
        return chat

    yield open_
    for chat in chats:
        chat.page.context.close()
    assert [chat.problems for chat in chats] == [[] for _ in chats]


def say(chat: ChatPage, *heard: str, index: int = 0) -> None:
    chat.page.evaluate("([heard, index]) => listening.say(heard, index)", [heard, index])


def test_what_is_said_follows_what_was_typed_until_it_is_sent(open_with: OpenWith) -> None:
    chat = open_with(RECOGNISER)
    chat.box.fill("Dear diary,")
    chat.button(START).click()
    assert chat.page.evaluate("listening.lang") == "en"
    say(chat, "today I")
    expect(chat.box).to_have_value("Dear diary, today I")
    say(chat, "today I sailed", " to Cascais", index=1)
    expect(chat.box).to_have_value("Dear diary, today I sailed to Cascais")
    chat.box.press_sequentially(".")
    say(chat, "today I sailed", " to Cascais", " It rained", index=2)
    expect(chat.box).to_have_value("Dear diary, today I sailed to Cascais. It rained")
    chat.button(STOP).click()
    expect(chat.button(START)).to_be_visible()
    chat.page.reload()
    expect(chat.box).to_have_value("Dear diary, today I sailed to Cascais. It rained")
    chat.box.fill("")
    chat.button(START).click()
    say(chat, "Good morning")
    chat.box.press("Enter")
    expect(chat.button(START)).to_be_visible()
    say(chat, "Good morning to you")
    chat.wait_for_end()
    expect(chat.box).to_have_value("")
    expect(chat.questions).to_have_text("Good morning")


#: What is told of an error, by its code.
TOLD = {
    "not-allowed": "The browser does not allow the microphone here.",
    "no-speech": "Nothing was heard.",
    "network": "The browser’s speech recognition cannot be reached.",
    "audio-capture": "The browser could not recognise what you said (audio-capture).",
}


def test_what_goes_wrong_is_told_and_axe_finds_nothing_while_it_listens(
    open_with: OpenWith,
) -> None:
    chat = open_with(RECOGNISER)
    chat.box.fill("Kept.")
    for code, notice in TOLD.items():
        chat.button(START).click()
        if AXE.exists() and code == "not-allowed":
            assert find_serious(chat) == []
        chat.page.evaluate("(code) => listening.fail(code)", code)
        expect(chat.page.get_by_role("alert")).to_have_text(notice)
        expect(chat.button(START)).to_be_visible()
        expect(chat.box).to_have_value("Kept.")
        chat.page.get_by_role("alert").get_by_role("button", name="Dismiss").click()
        expect(chat.page.get_by_role("alert")).to_be_empty()


def test_it_listens_in_the_pages_language_and_says_so(open_with: OpenWith) -> None:
    chat = open_with(RECOGNISER, locale="ar")
    chat.page.locator("#voice").click()
    assert chat.page.evaluate("listening.lang") == "ar"
    expect(chat.page.locator("#announcer")).to_contain_text("جارٍ الاستماع")


def test_without_a_recogniser_there_is_no_button(open_with: OpenWith) -> None:
    chat = open_with(NONE)
    expect(chat.send_button).to_be_visible()
    expect(chat.page.locator("#voice")).to_be_hidden()
