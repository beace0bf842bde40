"""`/api/v1/me/tidying`: by hand, what it did, and what becomes of that elsewhere."""

from __future__ import annotations

from typing import Any

import pytest

from shared.derivations.kinds import do_job
from tests.integration.web.conftest import Browser
from tests.integration.web.transfers import export, send

pytestmark = pytest.mark.newcomers

TIDYING = "/api/v1/me/tidying"


def state(browser: Browser, key: str, value: str) -> int:
    body = {"category": "identity", "key": key, "value": value}
    return int(browser.client.post("/api/v1/facts", json=body).get_json()["fact_id"])


def know_twice(browser: Browser) -> int:
    """The same car under two keys. The id of the older one."""
    older = state(browser, "car", "Skoda")
    other = state(browser, "pet", "Skoda")
    browser.client.patch(f"/api/v1/facts/{other}", json={"key": "vehicle"})
    return older


def tidy_up(browser: Browser) -> None:
    answer = browser.client.post(TIDYING)
    assert answer.status_code == 202, answer.text
    assert browser.client.post(TIDYING).get_json()["code"] == "job_in_progress"
    assert browser.get(TIDYING)["in_progress"] is True
    do_job(browser.context.services, "tidying", answer.get_json()["id"])


def facts(browser: Browser) -> list[tuple[str, str]]:
    return [(fact["key"], fact["value"]) for fact in browser.get("/api/v1/facts")["facts"]]


def test_by_hand_it_is_done_at_once_and_can_be_undone(browser: Browser) -> None:
    older = know_twice(browser)
    refused = browser.client.post(TIDYING)
    assert (refused.status_code, refused.get_json()["code"]) == (409, "nothing_to_do")
    conversation_id = browser.chat("Good morning.").get_json()["conversation_id"]
    assert browser.get(TIDYING) == {"in_progress": False, "finished_at": None, "changes": []}
    tidy_up(browser)
    report = browser.get(TIDYING)
    assert [(entry["fact_id"], entry["tidied"]) for entry in report["changes"]] == [
        (older, "joined")
    ]
    assert report["finished_at"]
    assert facts(browser) == [("vehicle", "Skoda")]
    counts: dict[str, Any] = browser.get(f"/api/v1/conversations/{conversation_id}/jobs")["counts"]
    assert counts["tidying"] == {"completed": 1}
    assert browser.client.post(f"/api/v1/facts/{older}/undo").get_json()["tidied"] is None
    assert facts(browser) == [("car", "Skoda"), ("vehicle", "Skoda")]
    assert browser.get(TIDYING)["changes"] == []


def test_an_export_keeps_what_was_joined_and_its_undo(browser: Browser) -> None:
    know_twice(browser)
    browser.chat("Good morning.")
    tidy_up(browser)
    exported = export(browser)
    browser.client.delete("/api/v1/me", json={"confirm": browser.user_id})
    assert facts(browser) == []
    send(browser, exported)
    assert facts(browser) == [("vehicle", "Skoda")]
    [change] = browser.get(TIDYING)["changes"]
    browser.client.post(f"/api/v1/facts/{change['fact_id']}/undo")
    assert facts(browser) == [("car", "Skoda"), ("vehicle", "Skoda")]
