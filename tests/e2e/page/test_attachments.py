"""Files on the page: chosen, dropped, pasted, sent, shown, removed."""

from __future__ import annotations

import base64

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


def test_files_stay_with_a_draft_and_are_sent_with_the_message_and_stand_under_it(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    choose(chat, NOTES)
    expect(tray(chat)).to_contain_text("27 byte")
    chat.box.fill("Where is")
    remove_the_notes_while_a_picture_comes(chat)
    chat.page.reload()
    expect(chat.box).to_have_value("Where is")
    expect(tray(chat)).to_contain_text("red.png")
    choose(chat, NOTES)
    expect(tray(chat)).to_contain_text(["kB", "27 bytes"])
    chat.ask("Where is the key?")
    expect(tray(chat)).to_have_count(0)
    assert "The key is behind the door." in str(model_server.requests[-1].body["messages"])
    chat.page.reload()
    expect(shown(chat).get_by_role("link", name="notes.md")).to_have_attribute(
        "download", "notes.md"
    )
    image = shown(chat).get_by_role("img", name="red.png")
    expect(image).to_have_js_property("naturalWidth", 640)
    expect(tray(chat)).to_have_count(0)


def remove_the_notes_while_a_picture_comes(chat: ChatPage) -> None:
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


def test_files_are_dropped_and_pasted(chat: ChatPage) -> None:
    expect(chat.box).to_be_visible()
    hand_over(chat, "drag")
    expect(chat.page.get_by_text("Drop files to attach them")).to_be_visible()
    for way in ("drop", "paste"):
        hand_over(chat, way)
        expect(chat.page.get_by_text("Drop files to attach them")).to_be_hidden()
        expect(tray(chat)).to_contain_text("red.png")
        expect(tray(chat)).to_contain_text("byte")
        chat.ask(f"What is this {way}?")
        expect(shown(chat).get_by_role("img")).to_be_visible()


def test_what_is_not_taken_says_why_and_is_removed_and_an_edit_keeps_the_files(
    open_page: OpenPage, scripted_site: Site
) -> None:
    chat = open_page(scripted_site.url, width=360, height=640)
    look_at_an_upload_that_cannot_arrive(chat)
    program: FilePayload = {"name": "setup.exe", "mimeType": "", "buffer": b"MZ\x90\x00"}
    locked: FilePayload = {
        "name": "scan.pdf",
        "mimeType": "application/pdf",
        "buffer": b"%PDF-1.4 nothing",
    }
    long: FilePayload = {**NOTES, "name": f"{'a_long_name_' * 8}.md"}
    choose(chat, program, locked, long, picture())
    expect(tray(chat)).to_contain_text(
        ["Files of this type are not taken", "broken", "27 bytes", "kB"]
    )
    chat.button("Remove setup.exe").click()
    chat.button("Remove scan.pdf").click()
    expect(tray(chat)).to_have_count(2)
    expect(chat.box).to_be_focused()
    chat.box.press("Enter")
    notice = chat.page.get_by_role("alert").get_by_text("Write a few words")
    expect(notice).to_be_visible()
    chat.ask("What is in them?")
    expect(notice).to_have_count(0)
    chat.expect_problem("415")
    chat.expect_problem("422")
    expect(shown(chat).get_by_role("img")).to_be_visible()
    assert chat.page.evaluate("document.documentElement.scrollWidth") <= 360
    chat.box.press("ArrowUp")
    box = chat.page.get_by_label("Edit message").or_(chat.page.locator(".editing textarea")).first
    box.fill("What do they say?")
    box.press("Enter")
    expect(chat.questions).to_have_text("What do they say?")
    expect(shown(chat)).to_contain_text(long["name"])
    chat.wait_for_end()


def look_at_an_upload_that_cannot_arrive(chat: ChatPage) -> None:
    chat.route("**/api/v1/attachments?*", lambda route: route.abort())
    choose(chat, NOTES)
    expect(tray(chat)).to_contain_text("The server cannot be reached.")
    chat.expect_problem("ERR_FAILED")
    chat.page.unroute("**/api/v1/attachments?*")
    chat.button("Remove notes.md").click()


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


def test_a_message_that_waits_keeps_its_files_and_a_tab_beside_shows_them_too(
    chat: ChatPage, open_page: OpenPage, model_server: FakeOpenAI
) -> None:
    goes_on = begin(chat, model_server)
    beside = open_page(chat.url, path=NOTHING)
    beside.follow(f"/c/{chat.conversation_id}")
    expect(beside.questions).to_have_text("Count.")
    choose(chat, NOTES)
    expect(tray(chat)).to_contain_text("27 byte")
    chat.send("And read this.")
    expect(tray(chat)).to_have_count(0)
    expect(waiting(chat)).to_contain_text("And read this.")
    goes_on.set()
    expect(chat.questions).to_have_text(["Count.", "And read this."])
    expect(shown(chat)).to_contain_text("notes.md")
    chat.wait_for_end()
    expect(shown(beside).get_by_role("link", name="notes.md")).to_be_visible()


def test_a_temporary_chat_takes_no_files_and_one_sent_elsewhere_comes_back_with_the_words(
    chat: ChatPage,
) -> None:
    chat.page.locator("label[for=mode-temporary]").click()
    choose(chat, NOTES)
    expect(chat.page.get_by_role("alert")).to_contain_text("A temporary chat takes no files")
    expect(tray(chat)).to_have_count(0)
    chat.page.locator("label[for=mode-active]").click()
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
    expect(chat.page.get_by_role("alert").last).to_contain_text("A file is not there any more")
    expect(chat.box).to_have_value("Read this.")
    expect(tray(chat)).to_contain_text("notes.md")
    chat.expect_problem("409")
