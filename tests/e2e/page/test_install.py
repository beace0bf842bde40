"""The installed page: its manifest, its service worker, and what is shown without a connection."""

from __future__ import annotations

import json
import re

import httpx
import pytest
from playwright.sync_api import Locator, Response, expect

from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.conftest import PATIENCE_MS, OpenPage
from tests.e2e.site import Site
from tests.waiting import wait_for
from web.pages.assets import STATIC

CONTROLLED = """() => new Promise((done) => {
  const { serviceWorker } = navigator;
  if (serviceWorker.controller) done();
  else serviceWorker.addEventListener('controllerchange', () => done(), { once: true });
})"""
#: The paths of everything that any cache has.
KEPT = """async () => {
  const requests = [];
  for (const name of await caches.keys()) {
    requests.push(...await (await caches.open(name)).keys());
  }
  return requests.map(({ url }) => new URL(url).pathname);
}"""
#: Of the answers that are kept, by path.
REQUEST_IDS = """async () => {
  const ids = {};
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const { url } of await cache.keys()) {
      ids[new URL(url).pathname] = (await cache.match(url)).headers.get('X-Request-ID');
    }
  }
  return ids;
}"""
SEND_AGAIN = """([name, kept]) => {
  localStorage[name] = kept;
  window.dispatchEvent(new Event('online'));
}"""
#: What waits has waited for an hour.
AGE = """name => {
  const waiting = JSON.parse(localStorage[name]);
  localStorage[name] = JSON.stringify({ ...waiting, since: waiting.since - 3_600_000 });
}"""
RELEASE = re.compile(r"/assets/[0-9a-f]+/")


@pytest.fixture
def chat(open_page: OpenPage, scripted_site: Site) -> ChatPage:
    return open_page(scripted_site.url, is_new=True)


def wait_for_worker(chat: ChatPage) -> None:
    chat.page.evaluate(CONTROLLED)


def forgive_the_network(chat: ChatPage) -> None:
    """The browser says what it could not load while it was offline."""
    chat.permit_problem("ERR_INTERNET_DISCONNECTED")


def test_without_a_connection_a_page_says_so_and_a_change_brings_another_worker(
    chat: ChatPage,
) -> None:
    wait_for_worker(chat)
    chat.ask("A chat to come back to.")
    chat.box.fill("half a thought")
    address = chat.page.url
    chat.page.context.set_offline(True)
    chat.page.reload()
    expect(chat.page.get_by_role("heading", name="You are offline")).to_be_visible()
    expect(chat.page.locator("body")).to_have_css("background-color", "rgb(251, 250, 246)")
    assert chat.page.url == address
    chat.page.context.set_offline(False)
    chat.page.get_by_role("link", name="Try again").click()
    expect(chat.box).to_have_value("half a thought")
    expect(chat.replies).to_have_count(1)

    before = chat.page.evaluate("caches.keys()")[0]
    chat.button("Settings").click()
    chat.page.get_by_label("Language").select_option("Deutsch")
    expect(chat.page.locator("html")).to_have_attribute("lang", "de")

    def is_replaced() -> bool:
        names = chat.page.evaluate("caches.keys()")
        return len(names) == 1 and names[0] != before

    wait_for(is_replaced, PATIENCE_MS / 1000)
    chat.page.context.set_offline(True)
    chat.page.reload()
    expect(chat.page.get_by_role("heading", name="Du bist offline")).to_be_visible()
    chat.page.context.set_offline(False)
    forgive_the_network(chat)


def test_what_is_sent_without_a_connection_waits_for_it_and_after_long_it_is_a_draft(
    chat: ChatPage,
) -> None:
    context = chat.page.context
    notices = chat.page.get_by_role("alert")
    chat.ask("While there is a connection.")
    conversation_id = chat.conversation_id
    context.set_offline(True)
    expect(notices).to_contain_text(
        "You are offline. What you send waits here until you are online"
    )
    chat.send("Into the void.")
    chat.send("And this after it.")
    expect(waiting(chat)).to_contain_text("Once online:")
    expect(waiting(chat)).to_contain_text("Into the void.")
    expect(chat.box).to_have_value("")
    context.set_offline(False)
    expect(notices).not_to_contain_text("You are offline.")
    messages = ["While there is a connection.", "Into the void.\n\nAnd this after it."]
    expect(chat.questions).to_have_text(messages)
    expect(waiting(chat)).to_be_hidden()
    chat.wait_for_end()
    chat.page.reload()
    expect(chat.questions).to_have_text(messages)
    expect(chat.box).to_have_value("")

    go_offline(chat)
    chat.send("Second.")
    chat.page.get_by_role("link", name="New chat", exact=True).click()
    expect(waiting(chat)).to_be_hidden()
    context.set_offline(False)
    expect(notices).to_contain_text("still waits in another chat")
    chat.button("Open the chat").click()
    expect(chat.questions).to_have_text([*messages, "Second."])
    chat.wait_for_end()

    go_offline(chat)
    chat.send("Third.")
    chat.page.evaluate(AGE, f"throughline.queued.{conversation_id}")
    context.set_offline(False)
    expect(notices).to_contain_text("more than ten minutes")
    expect(chat.box).to_have_value("Third.")
    expect(chat.questions).to_have_count(3)
    forgive_the_network(chat)


def test_what_waits_is_sent_by_its_tab_with_its_options_and_stored_once(chat: ChatPage) -> None:
    context = chat.page.context
    chat.page.locator("#choice").get_by_text("Off", exact=True).click()
    other = ChatPage(context.new_page(), chat.url)
    other.open()
    other.page.locator("#choice").get_by_text("Temporary", exact=True).click()
    go_offline(chat, other)
    chat.send("First.")
    expect(waiting(chat)).to_contain_text("First.")
    expect(waiting(other)).to_be_hidden()
    context.set_offline(False)
    chat.wait_for_end()
    expect(chat.page.locator("#chips")).to_contain_text("Memory off")
    expect(other.page.get_by_text("You are offline.")).to_have_count(0)
    expect(other.questions).to_have_count(0)
    expect(other.page.locator("#mode-temporary")).to_be_checked()

    conversation_id = chat.conversation_id
    other.open(f"/c/{conversation_id}")
    expect(other.questions).to_have_text("First.")
    expect(other.replies).to_have_count(1)
    go_offline(chat, other)
    chat.send("Second.")
    expect(waiting(other)).to_contain_text("Second.")
    entry = chat.page.evaluate(
        "name => localStorage[name]", f"throughline.queued.{conversation_id}"
    )
    context.set_offline(False)
    for page in (chat, other):
        expect(page.questions).to_have_text(["First.", "Second."])
        expect(waiting(page)).to_be_hidden()
        page.wait_for_end()
    other.page.reload()
    expect(other.questions).to_have_text(["First.", "Second."])
    expect(other.box).to_have_value("")
    other.open("/offline")
    with chat.page.expect_response("**/chat") as again:  # as a tab does that has seen it too late
        chat.page.evaluate(SEND_AGAIN, [f"throughline.queued.{conversation_id}", entry])
    assert again.value.ok
    chat.wait_for_end()
    chat.page.reload()
    expect(chat.questions).to_have_text(["First.", "Second."])
    expect(chat.box).to_have_value("")
    forgive_the_network(chat)
    other.page.close()


def go_offline(*pages: ChatPage) -> None:
    pages[0].page.context.set_offline(True)
    for page in pages:
        expect(page.page.get_by_text("You are offline.")).to_be_visible()


def waiting(chat: ChatPage) -> Locator:
    return chat.page.get_by_role("group", name="Message that waits")


def test_the_worker_keeps_the_pages_files_loads_none_again_and_keeps_nothing_of_a_user(
    open_page: OpenPage, scripted_site: Site
) -> None:
    chat = open_page(scripted_site.url, path="/healthz", is_new=True)
    answers: list[Response] = []
    chat.page.on("response", lambda answer: answers.append(answer))  # noqa: PLW0108
    chat.open()
    wait_for_worker(chat)
    stored_ids = chat.page.evaluate(REQUEST_IDS)
    answer_ids = {answer.url: answer.header_value("X-Request-ID") for answer in answers}
    loaded = {path: chat.url + path for path in stored_ids if chat.url + path in answer_ids}
    assert any(path.endswith("/css/all.css") for path in loaded)
    assert {path: answer_ids[url] for path, url in loaded.items()} == {
        path: stored_ids[path] for path in loaded
    }
    expect_fit_to_be_installed(chat)

    chat.ask("Something private.")
    chat.page.reload()
    expect(chat.replies).to_have_count(1)
    chat.page.goto(chat.url + "/operations")
    expect(chat.page.get_by_role("heading", name="Operations")).to_be_visible()
    paths = sorted(RELEASE.sub("/assets/", path) for path in chat.page.evaluate(KEPT))
    assert paths == [
        "/assets/css/all.css", "/assets/icon.svg", "/assets/vendor/figtree-latin-wght-normal.woff2",
        "/assets/vendor/instrument-serif-latin-400-normal.woff2", "/offline",
    ]  # fmt: skip


def expect_fit_to_be_installed(chat: ChatPage) -> None:
    """As the browser finds it."""
    session = chat.page.context.new_cdp_session(chat.page)
    assert session.send("Page.getAppManifest")["errors"] == []
    errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A profile of a test is like a private window, which installs nothing.
    assert [error["errorId"] for error in errors if error["errorId"] != "in-incognito"] == []


@pytest.mark.parametrize(("language", "direction"), [("en", "ltr"), ("ar", "rtl")])
def test_the_manifest_is_in_the_readers_language(
    scripted_site: Site, language: str, direction: str
) -> None:
    headers = {"Accept-Language": language}
    answer = httpx.get(f"{scripted_site.url}/manifest.webmanifest", headers=headers, timeout=60)
    assert answer.headers["Content-Type"] == "application/manifest+json"
    manifest = json.loads(answer.text)
    assert (manifest["lang"], manifest["dir"]) == (language, direction)
    for icon in manifest["icons"]:
        drawn = httpx.get(scripted_site.url + icon["src"], timeout=60)
        width, height = (int(drawn.content[at : at + 4].hex(), 16) for at in (16, 20))
        assert (drawn.headers["Content-Type"], icon["sizes"]) == ("image/png", f"{width}x{height}")


def test_the_icons_are_small() -> None:
    assert sum(path.stat().st_size for path in (STATIC / "icons").iterdir()) < 60_000
