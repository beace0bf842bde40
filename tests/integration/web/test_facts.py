"""`/api/v1/facts`: list, state, correct, undo, delete."""

from __future__ import annotations

from typing import Any

import pytest

from shared.db import execute
from shared.derivations.kinds import do_job
from shared.store.facts import extractions
from shared.store.upkeep import jobs
from tests.integration.web.conftest import Browser, MakeBrowser
from tests.refusals import message_of
from tests.services import as_owner

pytestmark = pytest.mark.newcomers

BASE = "/api/v1/facts"


def state(browser: Browser, key: str, value: str, category: str = "identity") -> dict[str, Any]:
    answer = browser.client.post(BASE, json={"category": category, "key": key, "value": value})
    assert answer.status_code == 201, answer.text
    return answer.get_json()


def correct(browser: Browser, fact_id: int, **changes: object) -> dict[str, Any]:
    answer = browser.client.patch(f"{BASE}/{fact_id}", json=changes)
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def undo(browser: Browser, fact_id: int) -> Any:
    return browser.client.post(f"{BASE}/{fact_id}/undo")


def values(browser: Browser, query: str = "") -> list[str]:
    return [fact["value"] for fact in browser.get(f"{BASE}{query}")["facts"]]


def learn_from_chat(browser: Browser, text: str) -> str:
    """Says `text` and runs the extraction. Returns the conversation's id."""
    conversation_id = browser.chat(text).get_json()["conversation_id"]
    services = browser.context.services
    with as_owner(services) as connection:
        all_jobs = jobs.list_jobs(connection, conversation_id)
    for job in all_jobs:
        if job.kind == "facts":
            do_job(services, "facts", job.job_id)
    return conversation_id


def test_a_stated_fact_is_held_firmly_and_has_no_source(browser: Browser) -> None:
    fact = state(browser, "Home City", " Rome ")
    assert fact | {"valid_from": None} == {
        "fact_id": fact["fact_id"],
        "category": "identity",
        "key": "home_city",
        "value": "Rome",
        "confidence": pytest.approx(0.9),
        "importance": pytest.approx(0.7),
        "is_active": True,
        "stated": True,
        "source": None,
        "valid_from": None,
        "valid_to": None,
        "valid_until": None,
        "superseded_by": None,
        "tidied": None,
        "project": None,
    }
    assert browser.get(BASE)["facts"] == [fact]


def test_a_fact_from_a_chat_names_its_message(browser: Browser) -> None:
    conversation_id = learn_from_chat(browser, "My name is Ada.")
    (fact,) = browser.get(BASE)["facts"]
    assert (fact["key"], fact["value"]) == ("name", "Ada")
    assert fact["source"] == {"conversation_id": conversation_id, "sequence": 0}


def test_stating_the_same_again_is_no_new_version(browser: Browser) -> None:
    first = state(browser, "name", "Ada")
    again = browser.client.post(
        BASE, json={"category": "identity", "key": "name", "value": "Ada", "importance": 0.9}
    )
    assert again.status_code == 200
    assert again.get_json()["fact_id"] == first["fact_id"]
    assert again.get_json()["importance"] == pytest.approx(0.9)


def test_a_correction_makes_a_version_and_keeps_the_old_one(browser: Browser) -> None:
    old = state(browser, "name", "Jon")
    new = correct(browser, old["fact_id"], value="John", importance=1)
    assert (new["value"], new["importance"], new["is_active"]) == ("John", 1.0, True)
    versions = browser.get(f"{BASE}/{new['fact_id']}/versions")["versions"]
    assert [v["value"] for v in versions] == ["John", "Jon"]
    assert versions[1]["superseded_by"] == new["fact_id"]
    assert versions[1]["valid_to"] == versions[0]["valid_from"]
    assert browser.get(f"{BASE}/{old['fact_id']}/versions")["versions"] == versions
    assert values(browser) == ["John"]
    assert values(browser, "?include=history") == ["John", "Jon"]


def test_importance_alone_makes_no_version(browser: Browser) -> None:
    old = state(browser, "name", "Jon")
    assert correct(browser, old["fact_id"], importance=0.1)["fact_id"] == old["fact_id"]


def test_another_key_takes_the_versions_along(browser: Browser) -> None:
    old = state(browser, "name", "Rex")
    newer = correct(browser, old["fact_id"], value="Rexi")
    moved = correct(browser, newer["fact_id"], key="Dog Name", category="preference")
    assert (moved["fact_id"], moved["category"], moved["key"]) == (
        newer["fact_id"],
        "preference",
        "dog_name",
    )
    versions = browser.get(f"{BASE}/{moved['fact_id']}/versions")["versions"]
    assert [v["key"] for v in versions] == ["dog_name", "dog_name"]


def test_a_key_that_is_taken_is_refused(browser: Browser) -> None:
    state(browser, "name", "Ada")
    dog = state(browser, "dog_name", "Rex")
    answer = browser.client.patch(f"{BASE}/{dog['fact_id']}", json={"key": "Full Name"})
    assert answer.status_code == 409
    assert sorted(values(browser)) == ["Ada", "Rex"]


def test_what_held_at_an_instant_can_be_asked(browser: Browser) -> None:
    first = state(browser, "home_city", "Berlin")
    second = correct(browser, first["fact_id"], value="Rome")

    def as_of(instant: str) -> list[str]:
        answer = browser.client.get(BASE, query_string={"as_of": instant})
        return [fact["value"] for fact in answer.get_json()["facts"]]

    assert as_of(first["valid_from"]) == ["Berlin"]
    assert as_of(second["valid_from"]) == ["Rome"]
    assert as_of("2000-01-01") == []
    assert as_of("2999-01-01T00:00:00Z") == ["Rome"]


def test_undo_makes_the_replaced_version_current_again(browser: Browser) -> None:
    first = state(browser, "home_city", "Berlin")
    second = correct(browser, first["fact_id"], value="Rome")
    answer = undo(browser, second["fact_id"])
    assert answer.status_code == 200
    assert answer.get_json()["fact_id"] == first["fact_id"]
    assert values(browser) == ["Berlin"]
    past_answer = browser.client.get(BASE, query_string={"as_of": second["valid_from"]})
    assert [f["value"] for f in past_answer.get_json()["facts"]] == ["Berlin"]
    assert undo(browser, second["fact_id"]).status_code == 409
    assert undo(browser, first["fact_id"]).status_code == 409


def test_undo_goes_back_step_by_step(browser: Browser) -> None:
    fact = state(browser, "home_city", "Berlin")
    for city in ("Rome", "Oslo"):
        fact = correct(browser, fact["fact_id"], value=city)
    fact = undo(browser, fact["fact_id"]).get_json()
    assert values(browser) == ["Rome"]
    undo(browser, fact["fact_id"])
    assert values(browser) == ["Berlin"]


def test_what_was_undone_is_not_learned_again_from_the_same_message(browser: Browser) -> None:
    learn_from_chat(browser, "I live in Berlin.")
    learn_from_chat(browser, "I live in Rome.")
    (rome,) = browser.get(BASE)["facts"]
    assert rome["value"] == "Rome"
    undo(browser, rome["fact_id"])
    services = browser.context.services
    with as_owner(services) as connection:
        execute(connection, "DELETE FROM fact_extractions")
        again = extractions.claim_extraction(
            connection, rome["source"]["conversation_id"], end=0, grace_s=10
        )
    assert again is not None
    do_job(services, "facts", again.job_id)
    assert values(browser) == ["Berlin"]


def test_a_deleted_fact_is_gone_with_its_history(browser: Browser) -> None:
    old = state(browser, "name", "Jon")
    new = correct(browser, old["fact_id"], value="John")
    answer = browser.client.delete(f"{BASE}/{new['fact_id']}")
    assert (answer.status_code, answer.get_json()["counts"]["facts"]) == (200, 2)
    assert values(browser, "?include=history") == []
    for fact in (old, new):
        assert browser.client.get(f"{BASE}/{fact['fact_id']}/versions").status_code == 404
    assert state(browser, "name", "Jon")["value"] == "Jon"


def test_the_category_chooses(browser: Browser) -> None:
    state(browser, "name", "Ada")
    state(browser, "allergy", "nuts", "constraint")
    state(browser, "allergy", "eggs", "constraint")
    assert values(browser, "?category=constraint") == ["eggs", "nuts"]


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("post", "", {"category": "religion", "key": "a", "value": "b"}),
        ("post", "", {"category": "identity", "key": "!!", "value": "b"}),
        ("post", "", {"category": "identity", "key": "a", "value": " \u200b "}),
        ("post", "", {"category": "identity", "key": "a", "value": "b" * 501}),
        ("post", "", {"category": "identity", "key": "a", "value": "b", "importance": 1.5}),
        ("post", "", {"category": "identity", "key": "a", "value": "b", "is_active": False}),
        ("post", "", {"category": "identity", "key": "a"}),
        ("get", "?category=religion", None),
        ("get", "?as_of=yesterday", None),
    ],
)
def test_what_is_not_in_order_is_refused(
    browser: Browser, method: str, path: str, body: object
) -> None:
    answer = getattr(browser.client, method)(f"{BASE}{path}", json=body)
    assert answer.status_code == 400, answer.text
    assert message_of(answer)


@pytest.fixture
def strangers_fact(make_shared_browser: MakeBrowser) -> tuple[Browser, dict[str, str], int]:
    """Two users behind a proxy: a browser, Bob's headers, and a fact of Ada's."""
    browser = make_shared_browser(auth_mode="proxy", trusted_proxies="127.0.0.1")
    ada, bob = {"X-Forwarded-User": "ada"}, {"X-Forwarded-User": "bob"}
    body = {"category": "identity", "key": "name", "value": "Ada"}
    fact_id = browser.client.post(BASE, json=body, headers=ada).get_json()["fact_id"]
    return browser, bob, fact_id


@pytest.mark.parametrize(
    ("method", "path"),
    [("get", "/versions"), ("patch", ""), ("post", "/undo"), ("delete", "")],
)
def test_other_peoples_facts_are_not_there(
    strangers_fact: tuple[Browser, dict[str, str], int], method: str, path: str
) -> None:
    browser, bob, fact_id = strangers_fact
    body = {"value": "Mallory"} if method == "patch" else None
    ask = getattr(browser.client, method)
    assert ask(f"{BASE}/{fact_id}{path}", json=body, headers=bob).status_code == 404
    assert browser.get(BASE, **bob)["facts"] == []
    assert browser.get(BASE, **{"X-Forwarded-User": "ada"})["facts"][0]["value"] == "Ada"


@pytest.mark.parametrize("fact_id", ["0", "9223372036854775807", "99999999999999999999", "x"])
def test_ids_that_are_none_are_not_found(browser: Browser, fact_id: str) -> None:
    assert browser.client.get(f"{BASE}/{fact_id}/versions").status_code == 404


def sentence(browser: Browser, text: str) -> dict[str, Any]:
    answer = browser.client.post(f"{BASE}/sentences", json={"text": text})
    assert answer.status_code in (200, 201), answer.text
    return answer.get_json()


def test_a_sentence_replaces_what_was_said_of_the_same(browser: Browser) -> None:
    learn_from_chat(browser, "I live in Oslo.")
    fact = sentence(browser, "I moved to Bergen.")
    assert (fact["key"], fact["value"], fact["stated"]) == ("home_city", "Bergen", True)
    assert values(browser) == ["Bergen"]
    assert undo(browser, fact["fact_id"]).get_json()["stated"] is False


def test_a_sentence_in_other_words_stands_beside_the_others(browser: Browser) -> None:
    sentence(browser, "Ich wohne am Fjord")
    again = browser.client.post(f"{BASE}/sentences", json={"text": " Ich wohne am  Fjord"})
    assert again.status_code == 200
    sentence(browser, "Ich trinke keinen Kaffee")
    assert sorted(values(browser)) == ["Ich trinke keinen Kaffee", "Ich wohne am Fjord"]


def test_a_fact_is_corrected_by_a_sentence_wherever_it_belongs(browser: Browser) -> None:
    fact = sentence(browser, "I am allergic to peanuts")
    other = correct(browser, fact["fact_id"], text="I am allergic to walnuts")
    assert (other["key"], other["value"]) == ("allergy_walnuts", "walnuts")
    replacement = correct(browser, other["fact_id"], text="Nuts make me ill now and then")
    assert replacement["value"] == "Nuts make me ill now and then"
    assert values(browser) == ["Nuts make me ill now and then"]
    versions = browser.get(f"{BASE}/{replacement['fact_id']}/versions")["versions"]
    assert [version["value"] for version in versions][1:] == ["walnuts", "peanuts"]


def test_a_corrected_fact_is_not_learned_again_from_the_old_words(browser: Browser) -> None:
    learn_from_chat(browser, "I live in Oslo.")
    [fact] = browser.get(BASE)["facts"]
    correct(browser, fact["fact_id"], text="These days I am at sea, mostly")
    learn_from_chat(browser, "Hello.")
    assert values(browser) == ["These days I am at sea, mostly"]


@pytest.mark.parametrize("text", ["", "   ", "x" * 501, None, "\u200b"])
def test_a_sentence_that_says_nothing_is_refused(browser: Browser, text: object) -> None:
    assert browser.client.post(f"{BASE}/sentences", json={"text": text}).status_code == 400
    assert values(browser) == []
