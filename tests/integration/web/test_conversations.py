"""Conversations and their episodes over HTTP: looked into, and changed."""

from __future__ import annotations

import pytest

from tests.integration.conversing import Conversing
from tests.integration.web.conftest import Browser
from tests.integration.web.rows import add_episode
from tests.integration.web.transfers import conversations_of
from tests.refusals import code_of

pytestmark = pytest.mark.newcomers

NOBODYS = "00000000-0000-0000-0000-000000000000"


def test_episodes_come_newest_first_page_by_page(browser: Browser, talk: Conversing) -> None:
    talk.round()
    ids = [add_episode(browser, talk, 10 * n, 10 * n + 9) for n in range(3)]
    page = browser.get(f"/api/v1/episodes?limit=2&conversation_id={talk.conversation_id}")
    assert [episode["id"] for episode in page["episodes"]] == [ids[2], ids[1]]
    assert (page["episodes"][0]["turn_range"], page["episodes"][0]["start"]) == ("20-29", 20)
    path = f"/api/v1/episodes?limit=2&conversation_id={talk.conversation_id}"
    rest = browser.get(f"{path}&cursor={page['next_cursor']}")
    assert ([episode["id"] for episode in rest["episodes"]], rest["next_cursor"]) == (
        [ids[0]],
        None,
    )
    assert browser.get(f"/api/v1/episodes?conversation_id={NOBODYS}")["episodes"] == []


def test_title_and_mode_can_be_changed_one_without_the_other(browser: Browser) -> None:
    conversation_id = browser.chat("Hello").get_json()["conversation_id"]
    path = f"/api/v1/conversations/{conversation_id}"
    changed = browser.client.patch(path, json={"title": " Greetings "}).get_json()
    assert (changed["title"], changed["mode"]) == ("Greetings", "active")
    changed = browser.client.patch(path, json={"mode": "passive"}).get_json()
    assert (changed["title"], changed["mode"]) == ("Greetings", "passive")
    browser.client.patch(path, json={"title": None})
    [listed] = conversations_of(browser)
    assert (listed["title"], listed["mode"]) == (None, "passive")


@pytest.mark.parametrize(("begun", "mode"), [("active", "off"), ("off", "active")])
def test_off_the_record_is_chosen_when_a_conversation_begins(
    browser: Browser, begun: str, mode: str
) -> None:
    conversation_id = browser.chat("Hello", mode=begun).get_json()["conversation_id"]
    answer = browser.client.patch(f"/api/v1/conversations/{conversation_id}", json={"mode": mode})
    assert (answer.status_code, code_of(answer)) == (409, "conflict")


@pytest.mark.parametrize(
    "body", [{"mode": "loud"}, {"title": " "}, {"title": "x" * 201}, {"title": "a\x00"}, {"a": 1}]
)
def test_a_change_that_makes_no_sense_is_refused(browser: Browser, body: dict[str, object]) -> None:
    conversation_id = browser.chat("Hello").get_json()["conversation_id"]
    answer = browser.client.patch(f"/api/v1/conversations/{conversation_id}", json=body)
    assert (answer.status_code, code_of(answer)) == (400, "invalid_request")


def test_a_reply_shows_what_it_was_given(browser: Browser) -> None:
    conversation_id = browser.chat("Hello").get_json()["conversation_id"]
    path = f"/api/v1/conversations/{conversation_id}/messages"
    result = browser.get(f"{path}/1/trace")
    assert (result["conversation_id"], result["sequence_number"]) == (conversation_id, 1)
    assert "steps_ms" in result["trace"]
    for without in (0, 2, 99999999999999999999):
        assert browser.client.get(f"{path}/{without}/trace").status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/episodes?cursor=x",
        f"/api/v1/episodes?limit={2**64}",
        "/api/v1/episodes?conversation_id=x",
        "/api/v1/search",
        "/api/v1/search?q=%20",
        "/api/v1/search?q=a%00b",
        f"/api/v1/search?q={'x' * 201}",
    ],
)
def test_questions_that_make_no_sense_are_refused(browser: Browser, path: str) -> None:
    answer = browser.client.get(path)
    assert (answer.status_code, code_of(answer)) == (400, "invalid_request")
