"""Replies of other chats that repeat what is deleted: counted, and taken if the user wants."""

from __future__ import annotations

from typing import Any

import pytest

from shared.maintenance.verify import find_breaches
from tests.integration.user_data.erasure.scanning import find_text
from tests.integration.user_data.erasure.test_messages import MARK, delete, say, site
from tests.integration.web.conftest import Browser, make_browser
from tests.integration.worker import work_off

__all__ = ["make_browser", "site"]

OTHER = "Zinnober"


@pytest.fixture
def conversation_id(site: Browser) -> str:
    """A chat, what it taught deleted, and a reply of another chat that quotes it."""
    chat_id = say(
        site, f"The old lighthouse keeper in the harbour was called {MARK} {OTHER}.", "Go on."
    )
    for fact in site.get("/api/v1/facts")["facts"]:
        site.client.delete(f"/api/v1/facts/{fact['fact_id']}")
    reply = site.chat("Who was the old lighthouse keeper in the harbour?").get_json()
    assert MARK in reply["reply"]
    site.chat("How do tides work?")
    return chat_id


def delete_chat(site: Browser, conversation_id: str, query: str = "") -> dict[str, Any]:
    answer = site.client.delete(f"/api/v1/conversations/{conversation_id}?{query}")
    assert answer.status_code == 200, answer.text
    receipt: dict[str, Any] = answer.get_json()
    return receipt


def test_a_chats_deletion_counts_the_replies_that_quote_it(
    site: Browser, conversation_id: str
) -> None:
    preview = delete_chat(site, conversation_id, "dry_run=true")
    assert preview["replies_left"] == 1
    receipt = delete_chat(site, conversation_id)
    assert receipt["replies_left"] == 1
    assert receipt["counts"] == preview["counts"]
    assert find_text(site.context.services, MARK)


def test_they_go_with_it_if_the_user_wants(site: Browser, conversation_id: str) -> None:
    product = site.context.services
    preview = delete_chat(site, conversation_id, "with_replies=true&dry_run=true")
    [reply] = preview["messages"]
    assert (MARK in reply["text"], reply["role"], preview["replies_left"]) == (True, "assistant", 0)
    assert find_text(product, MARK)
    receipt = delete_chat(site, conversation_id, "with_replies=true")
    assert receipt["counts"] == preview["counts"]
    assert find_text(product, MARK) == []
    work_off(product)
    assert find_text(product, MARK) == []
    assert find_breaches(product.database, product.settings, quiet=True) == []


def test_the_same_for_a_message(site: Browser, conversation_id: str) -> None:
    preview = delete(site, conversation_id, 0, "round=true&dry_run=true").get_json()
    assert preview["replies_left"] == 1
    receipt = delete(site, conversation_id, 0, "round=true&with_replies=true").get_json()
    assert receipt["replies_left"] == 0
    assert find_text(site.context.services, MARK) == []


def test_what_stands_in_the_middle_of_a_long_message_is_looked_for(site: Browser) -> None:
    rain = "It rained the whole week. " * 60
    keeper = f"The old lighthouse keeper in the harbour was called {MARK} {OTHER}."
    conversation_id = say(site, f"{rain} {keeper} {rain}", "Go on.")
    asking = site.chat("Who was the old lighthouse keeper in the harbour?").get_json()
    assert MARK in asking["reply"]
    path = f"/api/v1/conversations/{asking['conversation_id']}/messages/1/trace"
    assert keeper in site.get(path)["trace"]["messages"][0]["text"]
    assert delete_chat(site, conversation_id, "dry_run=true")["replies_left"] == 1


def test_who_was_given_it_and_says_nothing_of_it_is_not_counted(site: Browser) -> None:
    conversation_id = say(
        site, f"The old lighthouse keeper in the harbour was called {MARK} {OTHER}."
    )
    other = say(site, "I like the harbour.")
    assert delete_chat(site, conversation_id, "dry_run=true")["replies_left"] == 0
    assert delete_chat(site, other, "dry_run=true")["replies_left"] == 0


def test_a_deleted_message_names_the_facts_that_go(site: Browser) -> None:
    conversation_id = say(site, "My name is Ada and I live in Bergen.")
    preview = delete(site, conversation_id, 0, "dry_run=true").get_json()
    assert {fact["value"]: fact["stays"] for fact in preview["facts"]} == {
        "Ada": False,
        "Bergen": False,
    }
    assert "value" not in delete(site, conversation_id, 0).get_json()["facts"][0]
    assert site.get("/api/v1/facts")["facts"] == []
