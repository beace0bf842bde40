"""Models on the page: an operator sets one up and tries it out, and a chat chooses it."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.page.axe import AXE, LOOKS, find_in_looks
from tests.e2e.page.chat_page import NOTHING, ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.site import Site
from tests.fakes.openai_server import FakeOpenAI, Scripted, running_openai_server
from tests.waiting import PATIENCE_S

MODELS = "/api/v1/operations/models"
PERSONAS = "/api/v1/personas"
PIRATE = {"name": "Pirate", "instructions": "You are a pirate.", "model": "At home"}
KEY = "sk-of-the-second-server"


@pytest.fixture
def second() -> Iterator[FakeOpenAI]:
    with running_openai_server() as fake:
        fake.key, fake.served = KEY, ("small", "large")
        yield fake


@pytest.fixture
def site(scripted_site: Site) -> Iterator[Site]:
    """Without the models and personas that a test sets up, before and after it."""
    yield scripted_site
    for persona in scripted_site.get(PERSONAS)["personas"]:
        url = f"{scripted_site.url}{PERSONAS}/{persona['persona_id']}"
        httpx.delete(url, timeout=PATIENCE_S).raise_for_status()
    for model in scripted_site.get(MODELS)["models"]:
        url = f"{scripted_site.url}{MODELS}/{model['model_id']}"
        httpx.delete(url, timeout=PATIENCE_S).raise_for_status()


def set_up(site: Site, server: FakeOpenAI, **fields: object) -> None:
    form = {"name": "At home", "address": server.base_url, "served_name": "small", "api_key": KEY}
    httpx.post(f"{site.url}{MODELS}", json=form | fields, timeout=PATIENCE_S).raise_for_status()


def open_models(chat: ChatPage) -> Locator:
    chat.open_settings("Models")
    chat.button("Set up models").click()
    return chat.page.get_by_role("dialog", name="Models", exact=True)


def begin(dialog: Locator, server: FakeOpenAI, key: str) -> None:
    """As far as the list of the server's models."""
    dialog.get_by_role("button", name="Another server of OpenAI’s protocol").click()
    dialog.get_by_label("Address").fill(server.base_url)
    dialog.get_by_label("Key").fill(key)
    dialog.get_by_role("button", name="Show its models").click()
    expect(dialog.get_by_label("Which model")).to_be_focused()


def test_an_operator_sets_up_a_model_and_a_chat_chooses_it(
    open_page: OpenPage, site: Site, second: FakeOpenAI
) -> None:
    chat = open_page(site.url)
    expect(chat.page.locator("#model-field")).to_be_hidden()
    dialog = open_models(chat)
    expect(dialog).to_contain_text("Set by the environment: fake-model")
    dialog.get_by_role("button", name="Add a model").click()
    begin(dialog, second, "sk-wrong-key")
    expect(dialog).to_contain_text("The server gives no list.")
    dialog.get_by_label("Which model").fill("small")
    dialog.get_by_role("button", name="Use", exact=True).click()
    expect(dialog.get_by_role("status")).to_contain_text("does not accept the key")
    dialog.get_by_role("button", name="Back").click()
    begin(dialog, second, KEY)
    look_at_the_servers_list(dialog)
    dialog.get_by_label("Which model").fill("tiny")
    dialog.get_by_text("More", exact=True).click()
    dialog.get_by_label("Name on this site").fill("At home")
    dialog.get_by_role("button", name="Use", exact=True).click()
    expect(dialog.get_by_role("status")).to_contain_text("knows no model of this name")
    dialog.get_by_role("status").get_by_role("button", name="large").click()
    expect(dialog.get_by_role("status")).to_contain_text("It works: it answered in")
    expect(dialog.get_by_role("status")).to_contain_text("streams, tools, JSON, and pictures")
    expect(dialog.locator(".token")).to_contain_text("At home")
    expect(dialog.locator(".token")).to_contain_text("key set")
    expect(dialog.locator(".token")).to_contain_text("Notes facts by itself, as you set it")
    expect(dialog.get_by_role("button", name="Examine")).to_be_visible()
    assert KEY not in chat.page.content()
    chat.page.keyboard.press("Escape")
    chat.page.keyboard.press("Escape")
    chat.page.locator("#new-model").select_option("At home")
    second.script(Scripted(text="Here I am."))
    chat.ask("Are you there?")
    expect(chat.reply_text).to_have_text("Here I am.")
    expect(chat.page.locator("#chat-model option:checked")).to_contain_text("At home")
    assert second.requests[-1].headers["authorization"] == f"Bearer {KEY}"
    assert second.models[-1] == "large"


def look_at_the_servers_list(dialog: Locator) -> None:
    names = dialog.locator(".model-names button")
    expect(names).to_have_text(["large", "small"])
    dialog.get_by_label("Which model").fill("LAR")
    expect(names).to_have_text(["large"])


def test_a_chat_changes_its_model_replies_name_theirs_and_it_says_when_one_is_gone(
    open_page: OpenPage, site: Site, second: FakeOpenAI
) -> None:
    set_up(site, second)
    chat = open_page(site.url)
    chat.ask("Hello")
    expect(chat.reply_text).to_have_text("Hello from the fake.")
    expect(chat.replies.last.locator(".who")).to_have_text("fake-model")
    chat.button("This conversation’s settings").click()
    settings = chat.page.get_by_role("dialog", name="This conversation")
    expect(settings.get_by_label("Model")).to_have_value("")
    settings.get_by_label("Model").select_option("At home")
    settings.get_by_role("button", name="Save").click()
    expect(chat.page.locator("#chat-model option:checked")).to_contain_text("At home")
    second.script(Scripted(text="Now from home."))
    chat.ask("And now?")
    expect(chat.reply_text).to_have_text("Now from home.")
    change_the_model_by_the_header(chat)
    dialog = open_models(chat)
    dialog.get_by_role("button", name="Remove").click()
    chat.question.get_by_role("button", name="Remove").click()
    expect(dialog.locator(".token")).to_have_count(0)
    expect(chat.page.locator("#chat-model option:checked")).to_contain_text("no longer offered")
    chat.page.reload()
    expect(chat.page.locator("#chat-model option:checked")).to_contain_text("no longer offered")
    chat.ask("Still?")
    expect(chat.reply_text).to_have_text("Hello from the fake.")


def change_the_model_by_the_header(chat: ChatPage) -> None:
    """On a phone: to the default, which answers, and back."""
    chat.page.set_viewport_size({"width": 360, "height": 800})
    picker = chat.page.get_by_label("Model", exact=True).filter(visible=True)
    pick(chat, picker, "")
    chat.ask("And here?")
    expect(chat.replies.last.locator(".who")).to_have_text("fake-model")
    pick(chat, picker, "At home")
    chat.page.reload()
    expect(picker).to_have_value("At home")
    expect(chat.page.locator(".is-assistant .who")).to_have_text(
        ["fake-model", "At home", "fake-model"]
    )
    chat.page.set_viewport_size({"width": 1280, "height": 800})


def pick(chat: ChatPage, picker: Locator, model: str) -> None:
    with chat.page.expect_response(lambda answer: answer.request.method == "PATCH"):
        picker.select_option(model)


def test_a_personas_model_answers_unless_the_reader_chooses_the_default(
    open_page: OpenPage, site: Site, second: FakeOpenAI
) -> None:
    set_up(site, second)
    site.post(PERSONAS, PIRATE)
    chat = open_page(site.url)
    picker = chat.page.locator("#new-model")
    chat.page.get_by_label("Who answers").select_option("Pirate")
    for _ in range(2):
        chat.page.reload()
        expect(picker).to_have_value("At home")
        second.script(Scripted(text="From home."))
        chat.ask("Ahoy")
        expect(chat.reply_text).to_have_text("From home.")
        chat.page.get_by_role("link", name="New chat").click()
    picker.select_option(label="fake-model (default)")
    chat.ask("Ahoy")
    expect(chat.reply_text).to_have_text("Hello from the fake.")
    chat.page.get_by_role("link", name="New chat").click()
    expect(picker).to_have_value("At home")
    picker.select_option(label="fake-model (default)")
    chat.page.locator("#choice").get_by_text("Temporary", exact=True).click()
    chat.ask("Ahoy")
    expect(chat.reply_text).to_have_text("Hello from the fake.")
    look_at_a_persona_whose_model_is_gone(chat, site)


def look_at_a_persona_whose_model_is_gone(chat: ChatPage, site: Site) -> None:
    """Its chats begin with the default."""
    [model] = site.get(MODELS)["models"]
    httpx.delete(f"{site.url}{MODELS}/{model['model_id']}", timeout=PATIENCE_S).raise_for_status()
    chat.open()
    expect(chat.page.locator("#new-model")).to_have_value("At home")
    chat.ask("Ahoy")
    expect(chat.reply_text).to_have_text("Hello from the fake.")
    chat.page.reload()
    expect(chat.page.locator("#chat-model option:checked")).to_contain_text(
        "At home (no longer offered"
    )


def test_the_banner_fits_and_leads_an_operator_alone_to_the_form(
    open_page: OpenPage, site: Site, second: FakeOpenAI
) -> None:
    """The page is told that the stand-in answers."""
    status = site.get("/api/v1/status") | {"stand_in": True}
    chat = open_page(site.url, path=NOTHING, width=360)
    chat.route("**/api/v1/status", lambda route: route.fulfill(json=status))
    chat.open()
    expect(chat.button("Set up a model")).to_be_visible()
    banner = chat.page.locator("#stand-in")
    assert banner.evaluate("b => b.scrollWidth <= b.clientWidth")
    closing = chat.button("Dismiss").bounding_box()
    assert closing
    assert closing["x"] + closing["width"] <= 360
    chat.button("Set up a model").click()
    dialog = chat.page.get_by_role("dialog", name="Models", exact=True)
    expect(dialog.get_by_role("heading", name="Who has the model?")).to_be_focused()
    expect(dialog.get_by_role("button", name="Anthropic")).to_be_visible()
    findings = find_in_looks(chat) if AXE.exists() else {}
    assert not any(findings.values()), findings
    begin(dialog, second, KEY)
    dialog.get_by_text("More", exact=True).click()
    expect(dialog.get_by_label("Answers by default")).to_be_checked()
    findings = find_in_looks(chat) if AXE.exists() else {}
    assert not any(findings.values()), findings

    set_up(site, second)
    status["operator"] = False
    chat.page.set_viewport_size({"width": 1280, "height": 800})
    chat.open()
    expect(chat.page.locator("#new-model")).to_be_visible()
    expect(banner).to_be_visible()
    expect(chat.button("Set up a model")).to_be_hidden()
    settings = chat.open_settings()
    expect(settings.get_by_role("tab", name="Models")).to_be_hidden()
    expect(chat.button("Set up models")).to_be_hidden()


def test_the_form_fits_and_keeps_a_stored_key_until_it_is_replaced(
    open_page: OpenPage, site: Site, second: FakeOpenAI
) -> None:
    set_up(site, second, chat_default=True)
    chat = open_page(site.url)
    dialog = open_models(chat)
    expect(dialog.locator(".token")).to_contain_text("default")
    findings = find_in_looks(chat) if AXE.exists() else {}
    assert not any(findings.values()), findings
    dialog.get_by_role("button", name="Change").click()
    expect(dialog.get_by_label("Name on this site")).to_be_disabled()
    expect(dialog.get_by_label("Key")).to_have_value("")
    dialog.get_by_role("button", name="Test").click()
    expect(dialog.get_by_role("status")).to_contain_text("It works")
    findings = find_in_looks(chat) if AXE.exists() else {}
    assert not any(findings.values()), findings
    for width, _ in LOOKS:
        chat.page.set_viewport_size({"width": width, "height": 800})
        assert dialog.evaluate("d => d.scrollWidth <= d.clientWidth")
    dialog.get_by_label("Address").fill("http://127.0.0.1:9/v1")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Enter the key again")
    chat.expect_problem("409")
    dialog.get_by_label("Key").fill("sk-new")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.locator(".token")).to_contain_text("http://127.0.0.1:9/v1")
    expect(dialog.locator(".token")).to_contain_text("Notes facts by itself, as you set it")
