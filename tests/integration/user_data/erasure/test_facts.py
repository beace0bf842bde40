"""Forget a fact everywhere: with what taught it, what says it, and what was made of these."""

from __future__ import annotations

from typing import Any

import pytest

from shared.maintenance.verify import find_breaches
from tests.integration.user_data.erasure.scanning import find_text
from tests.integration.user_data.erasure.test_messages import MARK, TEXTS, rows, say, site, work
from tests.integration.web.conftest import Browser, make_browser
from tests.integration.worker import work_off
from tests.waiting import wait_for

__all__ = ["make_browser", "site"]


def fact_of(browser: Browser, value: str) -> dict[str, Any]:
    facts: list[dict[str, Any]] = browser.get("/api/v1/facts")["facts"]
    [match] = [fact for fact in facts if value in fact["value"]]
    return match


def forget(browser: Browser, fact: dict[str, Any], query: str = "") -> dict[str, Any]:
    answer = browser.client.delete(f"/api/v1/facts/{fact['fact_id']}?{query}")
    assert answer.status_code == 200, answer.text
    receipt: dict[str, Any] = answer.get_json()
    return receipt


@pytest.fixture
def filled_site(site: Browser) -> Browser:
    """The fact is taught in one conversation, corrected in another, and told in a third."""
    say(site, *TEXTS)
    say(site, f"My boat is called {MARK}us now.", "Thank you.")
    say(site, "What is my boat called?")
    assert MARK in rows(site.context.services, SAID)[0]["content"]
    return site


SAID = """
    SELECT content FROM messages
    WHERE role = 'assistant' AND conversation_id = (
        SELECT conversation_id FROM conversations ORDER BY created_at DESC LIMIT 1)
"""


def test_a_preview_names_what_goes_and_nothing_goes(filled_site: Browser) -> None:
    fact = fact_of(filled_site, MARK)
    before = len(find_text(filled_site.context.services, MARK))
    preview = forget(filled_site, fact, "everywhere=true&dry_run=true")
    assert (preview["deleted"], preview["dry_run"], preview["mentions_left"]) == (False, True, 0)
    texts = [message["text"] for message in preview["messages"]]
    assert f"My boat is called {MARK}." in texts
    assert f"My boat is called {MARK}us now." in texts
    assert preview["counts"]["messages"] == len(texts) == 5
    assert len(find_text(filled_site.context.services, MARK)) == before
    assert fact_of(filled_site, MARK) == fact


def test_nothing_is_left_of_it_anywhere_also_when_the_jobs_are_done_again(
    filled_site: Browser,
) -> None:
    product = filled_site.context.services
    receipt = forget(filled_site, fact_of(filled_site, MARK), "everywhere=true")
    assert receipt["deleted"]
    assert "text" not in receipt["messages"][0]
    assert find_text(product, MARK) == []
    work_off(product)
    work(product)
    assert find_text(product, MARK) == []
    assert MARK not in filled_site.chat("What is my boat called?").get_json()["reply"]


def test_other_messages_that_mention_the_value_stay_and_are_counted(filled_site: Browser) -> None:
    say(filled_site, f"A bark beetle is {MARK}us, is it not?")
    receipt = forget(filled_site, fact_of(filled_site, MARK), "everywhere=true")
    assert receipt["mentions_left"] >= 1
    assert filled_site.get(f"/api/v1/search?q={MARK}us")["messages"] != []


def test_without_everywhere_the_messages_stay(filled_site: Browser) -> None:
    receipt = forget(filled_site, fact_of(filled_site, MARK))
    assert receipt["counts"]["facts"] == 2
    assert "messages" not in receipt["counts"]
    assert all(count > 0 for count in receipt["counts"].values())
    assert filled_site.get(f"/api/v1/search?q={MARK}")["messages"] != []


def test_a_stated_fact_that_no_message_taught_goes_alone(site: Browser) -> None:
    body = {"category": "identity", "key": "boat_name", "value": MARK}
    fact = site.client.post("/api/v1/facts", json=body).get_json()
    preview = forget(site, fact, "everywhere=true&dry_run=true")
    assert "messages" not in preview
    forget(site, fact, "everywhere=true")
    assert find_text(site.context.services, MARK) == []
    wait_for(lambda: site.get("/api/v1/facts")["facts"] == [])


SENTENCE = (
    "My name is Ada. I live in Bergen, my husband is called Jon and my dog is called Biscuit."
)


@pytest.fixture
def introduced(site: Browser) -> Browser:
    """Four facts of one message, and the dog's name said again: there, and in another chat."""
    say(site, SENTENCE, "What is my dog called?")
    say(site, "What is my dog called?")
    assert len(site.get("/api/v1/facts")["facts"]) == 4
    return site


def values(browser: Browser) -> set[str]:
    return {fact["value"] for fact in browser.get("/api/v1/facts")["facts"]}


def test_the_preview_names_the_other_facts_and_what_becomes_of_them(introduced: Browser) -> None:
    preview = forget(introduced, fact_of(introduced, "Biscuit"), "everywhere=true&dry_run=true")
    others = {fact["value"]: fact["stays"] for fact in preview["facts"]}
    assert others == {"Ada": True, "Bergen": True, "Jon": True}


def test_what_the_same_sentence_taught_besides_stays_without_its_source(
    introduced: Browser,
) -> None:
    forget(introduced, fact_of(introduced, "Biscuit"), "everywhere=true")
    assert values(introduced) == {"Ada", "Bergen", "Jon"}
    assert fact_of(introduced, "Ada")["source"] is None
    product = introduced.context.services
    work_off(product)
    assert find_text(product, "Biscuit") == []
    assert find_breaches(product.database, product.settings, quiet=True) == []


def test_the_user_chooses_which_of_them_go_too(introduced: Browser) -> None:
    jon, ada = fact_of(introduced, "Jon"), fact_of(introduced, "Ada")
    chosen = f"everywhere=true&with_facts={jon['fact_id']},{ada['fact_id']}"
    receipt = forget(introduced, fact_of(introduced, "Biscuit"), chosen)
    outcomes = {fact["key"]: (fact["stays"], fact.get("value")) for fact in receipt["facts"]}
    assert outcomes[jon["key"]] == (False, None)
    assert values(introduced) == {"Bergen"}
    assert find_text(introduced.context.services, "Jon") == []


def test_one_that_says_the_same_goes_unless_it_is_spared(site: Browser) -> None:
    say(site, f"My boat is called {MARK} and my cat is called {MARK}.")
    boat, cat = (fact for fact in site.get("/api/v1/facts")["facts"])
    preview = forget(site, boat, "everywhere=true&dry_run=true")
    assert [fact["stays"] for fact in preview["facts"]] == [False]
    forget(site, boat, "everywhere=true&with_facts=")
    assert [fact["fact_id"] for fact in site.get("/api/v1/facts")["facts"]] == [cat["fact_id"]]


def test_a_fact_of_other_messages_cannot_go_with_it(filled_site: Browser) -> None:
    body = {"category": "identity", "key": "home", "value": "Bergen"}
    home = filled_site.client.post("/api/v1/facts", json=body).get_json()
    path = f"/api/v1/facts/{fact_of(filled_site, MARK)['fact_id']}?everywhere=true"
    for listed, status in ((str(home["fact_id"]), 409), ("99999", 409), ("x", 400), ("1,,2", 400)):
        assert filled_site.client.delete(f"{path}&with_facts={listed}").status_code == status
    assert fact_of(filled_site, MARK)


def test_what_the_sentence_ended_stays_ended(site: Browser) -> None:
    say(site, "I live in Oslo.")
    say(site, f"I no longer live in Oslo, and my boat is called {MARK}.")
    assert [fact["value"] for fact in site.get("/api/v1/facts")["facts"]] == [MARK]
    forget(site, fact_of(site, MARK), "everywhere=true")
    assert site.get("/api/v1/facts")["facts"] == []


def test_other_messages_with_the_words_go_if_the_user_wants(filled_site: Browser) -> None:
    say(filled_site, f"A bark beetle is {MARK}us, is it not?")
    fact = fact_of(filled_site, MARK)
    preview = forget(filled_site, fact, "everywhere=true&with_mentions=true&dry_run=true")
    assert preview["mentions_left"] == 0
    receipt = forget(filled_site, fact, "everywhere=true&with_mentions=true")
    assert receipt["counts"] == preview["counts"]
    assert find_text(filled_site.context.services, MARK) == []
