"""The page of a shared chat: its headers, long chats, and readers who ask often."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from markupsafe import Markup

from tests.integration.conversing import Conversing
from tests.integration.web.conftest import Browser
from tests.integration.web.test_shares import NOWHERE, read, share
from tests.integration.web.transfers import dialogue, send, utterance
from web.pages.markdown_html import MOST_CHARS, show_as_written
from web.views import shared_page
from web.views.shared_page import PAGE_MESSAGES, READS_PER_ADDRESS


def test_a_long_chat_comes_in_pages_each_message_once(browser: Browser) -> None:
    count = PAGE_MESSAGES + 20
    messages = [utterance(("user", "assistant")[n % 2], f"number {n}.") for n in range(count)]
    send(browser, dialogue(messages=messages))
    [chat] = browser.get("/api/v1/conversations")["conversations"]
    path = share(browser, chat["conversation_id"])["path"]
    first = read(browser, path)
    assert first.count("<article") == PAGE_MESSAGES
    assert f'href="?after={PAGE_MESSAGES - 1}"' in first
    second = read(browser, f"{path}?after={PAGE_MESSAGES - 1}")
    assert second.count("<article") == count - PAGE_MESSAGES
    assert "?after=" not in second
    assert f"number {count - 1}." in second


def test_a_page_of_huge_messages_is_short_and_quick(browser: Browser) -> None:
    """`[` is what the Markdown parser is slowest with."""
    huge = [utterance(("user", "assistant")[n % 2], "[" * 90_000) for n in range(10)]
    edge = [utterance(("user", "assistant")[n % 2], "[" * MOST_CHARS) for n in range(10)]
    send(browser, dialogue(messages=[*huge, *edge]))
    [chat] = browser.get("/api/v1/conversations")["conversations"]
    path = share(browser, chat["conversation_id"])["path"]
    assert read(browser, path).count("<article") == 1
    assert read(browser, f"{path}?after=9").count("<article") == 5


def test_the_page_is_kept_out_of_caches_and_search_engines_and_runs_nothing(
    browser: Browser, talk: Conversing
) -> None:
    talk.round()
    link = share(browser, talk.conversation_id)
    for path in (link["path"], NOWHERE):
        headers = browser.client.get(path).headers
        assert headers["Cache-Control"] == "no-store, private"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert "noindex" in headers["X-Robots-Tag"]
        assert headers["Content-Security-Policy"].startswith("default-src 'none'; style-src 'self'")
        assert "script-src" not in headers["Content-Security-Policy"]
        assert "Set-Cookie" not in headers
        assert "ETag" not in headers


@pytest.mark.parametrize("after", ["-5", "x", "9" * 40, "1.5", "", "１", "99"])
def test_any_place_in_a_chat_may_be_asked_for(
    browser: Browser, talk: Conversing, after: str
) -> None:
    talk.round()
    read(browser, f"{share(browser, talk.conversation_id)['path']}?after={after}")


def test_an_address_reads_so_often_and_no_more(browser: Browser) -> None:
    for _ in range(READS_PER_ADDRESS):
        browser.context.attempts.count("shared page", "127.0.0.1", READS_PER_ADDRESS)
    answer = browser.client.get(NOWHERE)
    assert answer.status_code == 429
    assert answer.headers["Retry-After"]


def test_readers_of_one_users_links_leave_connections_to_others(
    make_browser: Callable[..., Browser],
) -> None:
    site = make_browser(db_pool_size=4)
    chat = site.chat().get_json()
    link = share(site, chat["conversation_id"])
    with site.context.limits.shared_pages.slot(site.get("/api/v1/status")["user_id"]):
        assert site.client.get(link["path"]).status_code in {429, 503}
    assert site.client.get(link["path"]).status_code == 200


def test_a_page_is_drawn_in_its_slot_and_outside_of_the_transaction(
    make_browser: Callable[..., Browser], monkeypatch: pytest.MonkeyPatch
) -> None:
    site = make_browser(db_pool_size=1)
    link = share(site, site.chat().get_json()["conversation_id"])
    in_use: list[int] = []

    def draw(text: str, _: str) -> Markup:
        with site.context.services.database.transaction():  # the only connection is free
            in_use.append(site.context.limits.shared_pages.in_use)
        return show_as_written(text)

    monkeypatch.setattr(shared_page, "render_markdown", draw)
    read(site, link["path"])
    assert in_use == [1]


def test_a_page_that_takes_too_long_goes_on_as_it_was_written(
    browser: Browser, talk: Conversing, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk.round()
    path = share(browser, talk.conversation_id)["path"]
    assert "as-written" not in read(browser, path)
    monkeypatch.setattr(shared_page, "MARKDOWN_S", 0.0)
    assert '<div class="as-written">Reply 1.</div>' in read(browser, path)
