"""Files on the page: chosen, dropped, pasted, sent, shown, removed."""

from __future__ import annotations

import base64

import pytest
from playwright.sync_api import FilePayload, Locator, Route, expect

from tests.e2e.page.chat_page import NOTHING, ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.page.test_queue import begin, waiting
from tests.e2e.site import Site
from tests.fakes.files import make_image
from tests.fakes.openai_server import FakeOpenAI

NOTES: FilePayload = {
    "name": "notes.md",
    "mimeType": "text/markdown",
    "buffer": b"The key is behind the door.",
}
HAND_OVER = """
([kind, name, data]) => {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const transfer = new DataTransfer();
  transfer.items.add(new File([bytes], name, { type: 'image/png' }));
  const box = document.getElementById('message');
  if (kind === 'paste') {
    const pasted = { clipboardData: transfer, bubbles: true, cancelable: true };
    box.dispatchEvent(new ClipboardEvent('paste', pasted));
    return;
  }
  for (const type of ['dragover', 'drop'].slice(0, kind === 'drop' ? 2 : 1)) {
    const dragged = { dataTransfer: transfer, bubbles: true, cancelable: true };
    box.dispatchEvent(new DragEvent(type, dragged));
  }
}
"""


def picture() -> FilePayload:
    return {"name": "red.png", "mimeType": "image/png", "buffer": make_image(size=(640, 400))}


def choose(chat: ChatPage, *files: FilePayload) -> None:
    with chat.page.expect_file_chooser() as chooser:
        chat.button("Attach files").click()
    chooser.value.set_files(list(files))


def hand_over(chat: ChatPage, kind: str, name: str = "red.png") -> None:
    data = base64.b64encode(make_image()).decode()
    chat.page.evaluate(HAND_OVER, [kind, name, data])


def tray(chat: ChatPage) -> Locator:
    return chat.page.locator("#composer").get_by_role("listitem")


def shown(chat: ChatPage) -> Locator:
    return chat.page.locator(".message.is-user").last.get_by_role("list", name="Attached files")


def test_files_are_sent_with_a_message_and_stand_under_it(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    choose(chat, NOTES, picture())
    expect(tray(chat)).to_contain_text(["27 bytes", "kB"])
    chat.ask("Where is the key?")
    expect(tray(chat)).to_have_count(0)
    assert "The key is behind the door." in str(model_server.requests[-1].body["messages"])
    chat.page.reload()
    expect(shown(chat).get_by_role("link", name="notes.md")).to_have_attribute(
        "download", "notes.md"
    )
    image = shown(chat).get_by_role("img", name="red.png")
    expect(image).to_have_js_property("naturalWidth", 640)


def test_a_tab_beside_shows_them_too(
    chat: ChatPage, open_page: OpenPage, scripted_site: Site
) -> None:
    chat.ask("Hello.")
    beside = open_page(scripted_site.url, path=NOTHING)
    beside.follow(f"/c/{chat.conversation_id}")
    expect(beside.questions).to_have_text("Hello.")
    choose(chat, NOTES)
    expect(tray(chat)).to_contain_text("27 byte")
    chat.ask("Read.")
    expect(shown(beside).get_by_role("link", name="notes.md")).to_be_visible()


@pytest.mark.parametrize("way", ["drop", "paste"])
def test_files_are_dropped_and_pasted(chat: ChatPage, way: str) -> None:
    expect(chat.box).to_be_visible()
    hand_over(chat, way)
    expect(tray(chat)).to_contain_text("red.png")
    expect(tray(chat)).to_contain_text("byte")
    chat.ask("What is this?")
    expect(shown(chat).get_by_role("img")).to_be_visible()


def test_while_a_file_is_dragged_the_page_says_what_happens(chat: ChatPage) -> None:
    expect(chat.box).to_be_visible()
    hand_over(chat, "drag")
    expect(chat.page.get_by_text("Drop files to attach them")).to_be_visible()
    hand_over(chat, "drop")
    expect(chat.page.get_by_text("Drop files to attach them")).to_be_hidden()


def test_what_is_not_taken_says_why_and_is_removed(chat: ChatPage) -> None:
    program: FilePayload = {"name": "setup.exe", "mimeType": "", "buffer": b"MZ\x90\x00"}
    locked: FilePayload = {
        "name": "scan.pdf",
        "mimeType": "application/pdf",
        "buffer": b"%PDF-1.4 nothing",
    }
    choose(chat, program, locked, NOTES)
    expect(tray(chat)).to_contain_text(["Files of this type are not taken", "broken", "27 bytes"])
    chat.button("Remove setup.exe").click()
    chat.button("Remove scan.pdf").click()
    expect(tray(chat)).to_have_count(1)
    expect(chat.box).to_be_focused()
    chat.box.press("Enter")
    notice = chat.page.get_by_role("alert").get_by_text("Write a few words")
    expect(notice).to_be_visible()
    chat.ask("What is in it?")
    expect(notice).to_have_count(0)
    chat.expect_problem("415")
    chat.expect_problem("422")


def test_an_upload_that_cannot_arrive_is_told_at_the_file(chat: ChatPage) -> None:
    chat.route("**/api/v1/attachments?*", lambda route: route.abort())
    choose(chat, NOTES)
    expect(tray(chat)).to_contain_text("The server cannot be reached.")
    chat.expect_problem("ERR_FAILED")


def test_a_draft_keeps_its_files_over_a_reload(chat: ChatPage) -> None:
    choose(chat, NOTES)
    expect(tray(chat)).to_contain_text("27 byte")
    chat.box.fill("Where is")
    chat.page.reload()
    expect(chat.box).to_have_value("Where is")
    expect(tray(chat)).to_contain_text("notes.md")
    chat.ask("Where is the key?")
    chat.page.reload()
    expect(shown(chat)).to_be_visible()
    expect(tray(chat)).to_have_count(0)


def test_one_file_is_removed_while_another_comes_which_stays_over_a_reload(chat: ChatPage) -> None:
    choose(chat, NOTES)
    expect(tray(chat)).to_contain_text("27 byte")
    routes: list[Route] = []

    def hold(route: Route) -> None:
        routes.append(route)

    chat.route("**/api/v1/attachments?*", hold)
    with chat.page.expect_request("**/api/v1/attachments?*"):
        choose(chat, picture())
    chat.button("Remove notes.md").click()
    chat.await_held(routes).continue_()
    expect(tray(chat)).to_contain_text("kB")
    chat.page.unroute("**/api/v1/attachments?*")
    chat.page.reload()
    expect(tray(chat)).to_contain_text("red.png")


def test_the_files_of_a_chat_that_was_left_stay_there(chat: ChatPage, scripted_site: Site) -> None:
    other = scripted_site.chat("The chat beside it.")["conversation_id"]
    chat.ask("The chat with the file.")
    conversation_id = chat.conversation_id
    choose(chat, NOTES)
    expect(tray(chat)).to_contain_text("27 byte")
    routes: list[Route] = []
    chat.route("**/file_tray.js", lambda route: routes.append(route))  # noqa: PLW0108
    with chat.page.expect_request("**/file_tray.js"):
        chat.page.reload()
    chat.page.locator(f"#conversation-{other}").click()
    expect(chat.questions).to_have_text(["The chat beside it."])
    tray_module = chat.await_held(routes)
    tray_module.continue_()
    chat.page.evaluate("async (url) => { await import(url); }", tray_module.request.url)
    expect(tray(chat)).to_have_count(0)
    chat.page.locator(f"#conversation-{conversation_id}").click()
    expect(tray(chat)).to_contain_text("notes.md")


def test_a_message_that_waits_keeps_its_files(chat: ChatPage, model_server: FakeOpenAI) -> None:
    goes_on = begin(chat, model_server)
    choose(chat, NOTES)
    expect(tray(chat)).to_contain_text("27 byte")
    chat.send("And read this.")
    expect(tray(chat)).to_have_count(0)
    expect(waiting(chat)).to_contain_text("And read this.")
    goes_on.set()
    expect(chat.questions).to_have_text(["Count.", "And read this."])
    expect(shown(chat)).to_contain_text("notes.md")
    chat.wait_for_end()


def test_a_file_that_was_sent_elsewhere_comes_back_with_the_words(
    chat: ChatPage, scripted_site: Site
) -> None:
    choose(chat, NOTES)
    expect(tray(chat)).to_contain_text("27 byte")
    chat.page.evaluate(
        """async () => {
            const key = Object.keys(localStorage).find((one) => one.endsWith('files.new'));
            const [file] = JSON.parse(localStorage.getItem(key));
            await fetch(`/api/v1/attachments/${file.attachment_id}`, { method: 'DELETE' });
        }"""
    )
    chat.send("Read this.")
    expect(chat.page.get_by_role("alert")).to_contain_text("A file is not there any more")
    expect(chat.box).to_have_value("Read this.")
    expect(tray(chat)).to_contain_text("notes.md")
    chat.expect_problem("409")


def test_an_edit_keeps_the_files(chat: ChatPage) -> None:
    choose(chat, NOTES)
    expect(tray(chat)).to_contain_text("27 byte")
    chat.ask("Where is it?")
    chat.box.press("ArrowUp")
    box = chat.page.get_by_label("Edit message").or_(chat.page.locator(".editing textarea")).first
    box.fill("Where is the key?")
    box.press("Enter")
    expect(chat.questions).to_have_text("Where is the key?")
    expect(shown(chat)).to_contain_text("notes.md")
    chat.wait_for_end()


def test_a_temporary_chat_takes_no_files(chat: ChatPage) -> None:
    chat.page.locator("label[for=mode-temporary]").click()
    choose(chat, NOTES)
    expect(chat.page.get_by_role("alert")).to_contain_text("A temporary chat takes no files")
    expect(tray(chat)).to_have_count(0)


def test_it_fits_a_small_screen(open_page: OpenPage, scripted_site: Site) -> None:
    chat = open_page(scripted_site.url, width=360, height=640)
    long: FilePayload = {**NOTES, "name": f"{'a_long_name_' * 8}.md"}
    choose(chat, long, picture(), {"name": "x.exe", "mimeType": "", "buffer": b"MZ\x90\x00"})
    expect(tray(chat)).to_contain_text(["27 byte", "kB", "not taken"])
    chat.ask("What is in them?")
    expect(shown(chat).get_by_role("img")).to_be_visible()
    assert chat.page.evaluate("document.documentElement.scrollWidth") <= 360
    chat.expect_problem("415")
