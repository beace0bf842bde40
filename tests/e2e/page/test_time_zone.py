"""Where the browser is goes with each message."""

from __future__ import annotations

from playwright.sync_api import Browser

from tests.e2e.page.chat_page import ChatPage
from tests.e2e.site import Site
from tests.fakes.openai_server import FakeOpenAI


def test_the_browsers_time_zone_goes_with_a_message(
    browser: Browser, scripted_site: Site, model_server: FakeOpenAI
) -> None:
    context = browser.new_context(timezone_id="Asia/Tokyo")
    chat = ChatPage(context.new_page(), scripted_site.url)
    chat.open()
    chat.ask("What time is it?")
    context.close()
    system = model_server.requests[-1].body["messages"][0]["content"]
    assert "Asia/Tokyo." in system
    assert scripted_site.get("/api/status")["time_zone"] == "Asia/Tokyo"
    assert chat.problems == []
