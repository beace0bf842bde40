"""The way from the built-in helper to the first answer of a real model, in clicks and words."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Route, expect

from tests.e2e.page.axe import AXE, find_in_looks
from tests.e2e.page.chat_page import NOTHING, ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.site import Site
from tests.fakes.openai_server import FakeOpenAI, Scripted, running_openai_server
from tests.waiting import PATIENCE_S

MODELS = "/api/v1/operations/models"
KEY = "sk-of-the-provider"
QUESTION = "What is the capital of France?"
PARIS = Scripted(text="Paris.")
#: In the page: how often somebody clicked, and in which fields something was typed.
COUNT = """() => {
  window.clicks = 0;
  window.typed = new Set();
  const count = (event) => { window.clicks += event.detail ? 1 : 0; }; // Enter in a form is none
  document.addEventListener('click', count, true);
  document.addEventListener('input', (event) => window.typed.add(event.target.name), true);
}"""


@pytest.fixture
def server() -> Iterator[FakeOpenAI]:
    with running_openai_server() as fake:
        fake.by_task["reply"] = PARIS
        yield fake


@pytest.fixture
def site(memory_site: Site) -> Iterator[Site]:
    """With the built-in helper alone, before and after a test."""
    yield memory_site
    for model in memory_site.get(MODELS)["models"]:
        url = f"{memory_site.url}{MODELS}/{model['model_id']}"
        httpx.delete(url, timeout=PATIENCE_S).raise_for_status()


def open_with(open_page: OpenPage, site: Site, name: str, **place: object) -> ChatPage:
    """A page whose provider `name` is the scripted server. Nothing else runs on this machine."""
    chat = open_page(site.url, path=NOTHING)

    def answer(route: Route) -> None:
        known = site.get(f"{MODELS}/providers")["providers"]
        providers = [p | {"models": []} | (place if p["name"] == name else {}) for p in known]
        route.fulfill(json={"providers": providers})

    chat.route(f"**{MODELS}/providers", answer)
    chat.open()
    chat.ask(QUESTION)
    expect(chat.reply_text).to_contain_text("I can only repeat what you told me.")
    return chat


def read_counts(chat: ChatPage) -> tuple[int, list[str]]:
    clicks, fields = chat.page.evaluate("[window.clicks, [...window.typed]]")
    return clicks, fields


def expect_the_first_answer(chat: ChatPage, site: Site, name: str) -> None:
    expect(chat.reply_text).to_have_text("Paris.")
    expect(chat.page.locator("#stand-in")).to_be_hidden()
    expect(chat.page.locator("#notices")).to_contain_text("It works: it answered in")
    [model] = site.get(MODELS)["models"]
    assert (model["name"], model["chat_default"], model["memory_default"]) == (name, True, True)


def test_with_ollama_running_a_click_is_enough(
    open_page: OpenPage, site: Site, server: FakeOpenAI
) -> None:
    server.served = ("llama3.1:8b", "qwen3:8b")
    chat = open_with(
        open_page, site, "Ollama", address=server.base_url, models=["llama3.1:8b", "qwen3:8b"]
    )
    banner = chat.page.locator("#stand-in")
    expect(banner).to_contain_text("Ollama is running here: llama3.1:8b, qwen3:8b.")
    findings = find_in_looks(chat) if AXE.exists() else {}
    assert not any(findings.values()), findings
    chat.page.evaluate(COUNT)
    chat.button("Use qwen3:8b").click()
    expect_the_first_answer(chat, site, "qwen3:8b")
    assert read_counts(chat) == (1, [])
    assert set(server.models) == {"qwen3:8b"}


def test_of_a_provider_three_clicks_and_a_key_are_enough(
    open_page: OpenPage, site: Site, server: FakeOpenAI
) -> None:
    server.served, server.key = ("gpt-large", "gpt-small", "text-embedding-3"), KEY
    chat = open_with(open_page, site, "OpenAI", address=server.base_url)
    chat.page.evaluate(COUNT)
    chat.button("Set up a model").click()
    dialog = chat.page.get_by_role("dialog", name="Models", exact=True)
    dialog.get_by_role("button", name="OpenAI", exact=True).click()
    key = dialog.get_by_label("Key")
    expect(dialog).not_to_contain_text("false")
    expect(key).to_be_focused()
    key.fill("sk-mistyped")
    key.press("Enter")
    expect(dialog.get_by_role("alert")).to_contain_text("does not accept the key")
    key.fill(KEY)
    key.press("Enter")
    expect(dialog.locator(".model-names button")).to_have_text(["gpt-large", "gpt-small"])
    dialog.get_by_role("button", name="gpt-small").click()
    expect_the_first_answer(chat, site, "gpt-small")
    expect(dialog).to_be_hidden()
    assert read_counts(chat) == (3, ["api_key"])


def test_a_running_server_that_does_not_answer_says_why_and_stays_offered(
    open_page: OpenPage, site: Site, server: FakeOpenAI
) -> None:
    server.served = ()
    chat = open_with(open_page, site, "Ollama", address=server.base_url, models=["gone:8b"])
    chat.button("Use").click()
    expect(chat.page.locator("#stand-in")).to_contain_text("knows no model of this name")
    expect(chat.button("Use")).to_be_visible()
    assert site.get(MODELS)["models"] == []
