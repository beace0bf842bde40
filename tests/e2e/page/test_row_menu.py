"""The menu of a conversation in the list: by pointer, by keys, on a phone; and what it does."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from shared.db import Database, execute
from tests.e2e.page.axe import LOOKS, RULES_OF_LOOKS, find_in_looks, find_serious
from tests.e2e.page.chat_page import NOTHING, ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.page.rows import choose, group_of, load_until, open_menu, row
from tests.e2e.site import Site
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.services import owner_url

ITEMS = [
    "Rename…", "Pin", "Move to project…", "Archive", "Share…", "Export as Markdown",
    "Export as JSON", "Print or save as PDF", "Delete",
]  # fmt: skip
AGE = """
    UPDATE conversations SET updated_at = now() - %(days)s * interval '1 day'
    WHERE conversation_id = %(own)s
"""


@pytest.fixture
def database(scripted_site: Site) -> Iterator[Database]:
    database = Database(owner_url(scripted_site.environment["DATABASE_URL"]), pool_size=1)
    yield database
    database.close()


@pytest.fixture
def wordy_site(scripted_site: Site, model_server: FakeOpenAI) -> Site:
    """Its next reply is Markdown."""
    model_server.script(Scripted(text="# Things\n\n| a | b |\n| --- | --- |\n| one | two |"))
    return scripted_site


def test_the_menu_is_worked_by_keys_and_renames_and_exports(
    chat: ChatPage, scripted_site: Site
) -> None:
    chat.ask("A wren sings.")
    conversation_id = chat.conversation_id
    work_the_menu_by_keys(chat, conversation_id)
    look_at_clicks_elsewhere(chat, conversation_id)
    export_from_the_list(chat, conversation_id)
    choose(chat, conversation_id, "Rename…")
    dialog = chat.page.get_by_role("dialog", name="Rename this chat")
    field = dialog.get_by_label("Title")
    expect(field).to_be_focused()
    expect(field).to_have_value("A wren sings.")
    chat.page.keyboard.type("Wrens")
    chat.page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    expect(row(chat, conversation_id)).to_have_text("Wrens")
    expect(chat.page.get_by_role("heading", name="Wrens")).to_be_visible()
    stored = scripted_site.get(f"/api/v1/conversations/{conversation_id}/messages")
    assert stored["title"] == "Wrens"


def work_the_menu_by_keys(chat: ChatPage, conversation_id: str) -> None:
    button = chat.button("More about A wren sings.")
    row(chat, conversation_id).focus()
    chat.page.keyboard.press("Tab")
    expect(button).to_be_focused()
    expect(button).to_have_attribute("aria-haspopup", "menu")
    chat.page.keyboard.press("Enter")
    items = chat.page.get_by_role("menu", name="More about A wren sings.").get_by_role("menuitem")
    expect(items).to_have_text(ITEMS)
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(items.nth(0)).to_be_focused()
    for key, place in (
        ("ArrowDown", 1), ("ArrowUp", 0), ("ArrowUp", 8), ("ArrowDown", 0), ("End", 8),
        ("Home", 0), ("a", 3), ("p", 7),
    ):  # fmt: skip
        chat.page.keyboard.press(key)
        expect(items.nth(place)).to_be_focused()
    chat.page.keyboard.press("Escape")
    expect(items).to_have_count(0)
    expect(button).to_be_focused()
    expect(button).to_have_attribute("aria-expanded", "false")
    chat.page.keyboard.press("Enter")
    expect(items.nth(0)).to_be_focused()
    chat.page.keyboard.press("Tab")
    expect(items).to_have_count(0)


def look_at_clicks_elsewhere(chat: ChatPage, conversation_id: str) -> None:
    menu = open_menu(chat, conversation_id)
    chat.page.locator("#title").click()
    expect(menu).to_have_count(0)
    open_menu(chat, conversation_id)
    button = chat.page.locator(f"#more-{conversation_id}")
    button.evaluate("node => { node.dataset.old = 'yes'; }")
    chat.page.evaluate("document.dispatchEvent(new CustomEvent('erased', { detail: [] }))")
    expect(button).not_to_have_attribute("data-old", "yes")  # the list was drawn anew
    expect(button).to_have_attribute("aria-expanded", "true")
    button.click()
    expect(menu).to_have_count(0)
    expect(button).to_have_attribute("aria-expanded", "false")


def export_from_the_list(chat: ChatPage, conversation_id: str) -> None:
    for item, name in (("Export as Markdown", ".md"), ("Export as JSON", ".json")):
        with chat.page.expect_download() as download:
            choose(chat, conversation_id, item)
        assert download.value.suggested_filename.endswith(name)
        assert "A wren sings." in download.value.path().read_text()
        expect(chat.page.get_by_role("menu")).to_have_count(0)


def test_a_chat_is_printed_whole_on_a_page_of_its_own(
    open_page: OpenPage, wordy_site: Site
) -> None:
    conversation_id = wordy_site.chat("<b>What</b> is there?")["conversation_id"]
    chat = open_page(wordy_site.url, path=NOTHING)
    chat.run_first("window.print = () => { window.printed = true; }")
    chat.open(f"/c/{conversation_id}/print")
    chat.page.wait_for_function("() => window.printed")
    expect(chat.page.get_by_role("article")).to_have_count(2)
    expect(chat.page.locator(".is-user .said")).to_have_text("<b>What</b> is there?")
    expect(chat.page.locator("table")).to_contain_text("one")
    findings = find_in_looks(chat)
    assert not any(findings.values()), findings
    chat.page.emulate_media(media="print")
    expect(chat.page.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")


def test_groups_go_by_age_and_pinned_ones_come_first(
    open_page: OpenPage, scripted_site: Site, database: Database
) -> None:
    ages = {
        "Today": 0, "Yesterday": 1, "Previous 7 days": 5, "Previous 30 days": 20,
    }  # fmt: skip
    ids = {name: scripted_site.chat(f"It is {name}.")["conversation_id"] for name in ages}
    old = scripted_site.chat("It is long ago.")["conversation_id"]
    with database.transaction() as connection:
        for name, conversation_id in ids.items():
            execute(connection, AGE, own=conversation_id, days=ages[name])
        execute(connection, AGE, own=old, days=400)
    chat = open_page(scripted_site.url)
    load_until(chat, old)
    for name, conversation_id in ids.items():
        expect(group_of(chat, conversation_id)).to_have_text(name)
    expect(group_of(chat, old)).to_have_text(re.compile(r"^[A-Z][a-z]+ 20\d\d$"))
    choose(chat, old, "Pin")
    expect(group_of(chat, old)).to_have_text("Pinned")
    expect(chat.page.locator(f"#more-{old}")).to_be_focused()
    expect(chat.page.locator("#conversations .conversation").first).to_have_text("It is long ago.")
    chat.page.reload()  # it is far below the first page
    expect(group_of(chat, old)).to_have_text("Pinned")
    choose(chat, old, "Unpin")
    expect(group_of(chat, old)).to_have_text(re.compile(r"^[A-Z][a-z]+ 20\d\d$"))


def test_the_menu_and_the_archive_fit_and_axe_finds_nothing(
    open_page: OpenPage, scripted_site: Site
) -> None:
    title = "A very long question about all the birds that sing in the garden before it is light"
    archived_id = scripted_site.chat(title)["conversation_id"]
    listed_id = scripted_site.chat(title)["conversation_id"]
    scripted_site.patch(f"/api/v1/conversations/{archived_id}", {"archived": True})
    chat = open_page(scripted_site.url, path=NOTHING)
    rules: tuple[str, ...] = ()
    for width, scheme in LOOKS:
        chat.page.set_viewport_size({"width": width, "height": 800})
        chat.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        chat.open()
        if width < 860:
            chat.button("Show conversations").click()
        menu = open_menu(chat, listed_id)
        box = menu.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        findings = [find_serious(chat, rules=rules)]
        chat.page.keyboard.press("Escape")
        chat.button("Archived chats").click()
        expect(chat.button(f"Bring back {title}").first).to_be_visible()
        assert chat.page.evaluate("document.querySelector('#archive').scrollWidth <= innerWidth")
        findings.append(find_serious(chat, rules=rules))
        assert findings == [[], []], (width, scheme)
        rules = RULES_OF_LOOKS
