"""Where the user is: told with a message, kept with the user, used for every day and hour."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from werkzeug.test import TestResponse

from shared.derivations.kinds import do_job
from tests.fakes.openai_server import FakeOpenAI
from tests.integration.faults.answers import answer_well
from tests.integration.web.conftest import Browser
from tests.integration.web.rows import row
from tests.integration.worker import list_jobs, run_sql
from tests.refusals import message_of

FAR_EAST, FAR_WEST = "Pacific/Kiritimati", "Pacific/Niue"  # a day and more apart: UTC+14, -11
LATE = datetime(2026, 7, 1, 23, 30, tzinfo=UTC)  # the second of July in Athens


def say(browser: Browser, message: str = "Hello", zone: str = "", **fields: object) -> TestResponse:
    headers = {"X-Time-Zone": zone} if zone else {}
    return browser.client.post("/chat", json={"message": message} | fields, headers=headers)


def asked_of(server: FakeOpenAI, task: str) -> list[str]:
    """What the model was given for a task, the system prompt left out."""
    bodies = [request.body["messages"] for request in server.requests]
    return [m[-1]["content"] for m in bodies if m[0]["content"].startswith(f"Task: {task}")]


def clock_line(server: FakeOpenAI) -> str:
    """What the newest prompt says of today."""
    [line] = re.findall("Today is .*", server.requests[-1].body["messages"][0]["content"])
    return str(line)


def kept_zone(browser: Browser) -> Any:
    return browser.get("/api/v1/status")["time_zone"]


def test_now_is_told_by_the_users_clock(wired: Browser, openai_server: FakeOpenAI) -> None:
    say(wired)
    assert clock_line(openai_server).endswith("(UTC).")
    for zone in (FAR_EAST, FAR_WEST):
        days = [datetime.now(ZoneInfo(zone))]
        say(wired, time_zone=zone)
        days.append(datetime.now(ZoneInfo(zone)))
        lines = [f"Today is {day:%A, %d %B %Y} ({zone})." for day in days]
        assert clock_line(openai_server) in lines


def test_it_is_kept_with_the_user(wired: Browser, openai_server: FakeOpenAI) -> None:
    assert kept_zone(wired) is None
    conversation_id = say(wired, zone=FAR_EAST).get_json()["conversation_id"]
    assert kept_zone(wired) == FAR_EAST
    say(wired, conversation_id=conversation_id)
    assert FAR_EAST in clock_line(openai_server)
    wired.client.post(f"/chat/{conversation_id}/3/retry", json={})
    assert FAR_EAST in clock_line(openai_server)
    wired.client.post(
        f"/chat/{conversation_id}/2/edit", json={"message": "Hi", "time_zone": FAR_WEST}
    )
    assert FAR_WEST in clock_line(openai_server)
    assert kept_zone(wired) == FAR_WEST
    exported = wired.client.get("/api/v1/export").get_json()
    assert exported["users"][0]["time_zone"] == FAR_WEST


@pytest.mark.parametrize("zone", ["Lisbon", "", "../../etc/passwd", "+02:00", "europe/lisbon"])
def test_a_field_that_names_no_zone_is_refused_and_nothing_is_written(
    wired: Browser, zone: str
) -> None:
    refused = say(wired, time_zone=zone)
    assert refused.status_code == 400
    assert "time_zone" in message_of(refused)
    assert wired.get("/api/v1/conversations")["conversations"] == []
    assert say(wired, time_zone=7).status_code == 400


@pytest.mark.parametrize("zone", ["Mars/Base", "x" * 5000, "Europe/Lisbon; DROP TABLE users"])
def test_a_browsers_zone_that_nobody_knows_is_left_out(wired: Browser, zone: str) -> None:
    say(wired, time_zone=FAR_EAST)
    assert say(wired, zone=zone).status_code == 200
    assert kept_zone(wired) == FAR_EAST


def test_what_a_client_says_goes_before_what_its_browser_adds(wired: Browser) -> None:
    say(wired, zone=FAR_EAST, time_zone=FAR_WEST)
    assert kept_zone(wired) == FAR_WEST


def test_jobs_read_the_messages_at_the_times_of_the_users_clock(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    product = wired.context.services
    answer_well(openai_server)
    conversation_id = None
    for _ in range(3):
        fields: dict[str, Any] = {"conversation_id": conversation_id} if conversation_id else {}
        conversation_id = say(wired, "I live in Oslo.", "Europe/Athens", **fields).get_json()[
            "conversation_id"
        ]
    run_sql(product, "UPDATE messages SET created_at = %(late)s", late=LATE)
    for due in list_jobs(product, "processing"):
        do_job(product, due.kind, due.job_id)
    for task in ("summary", "facts", "title"):
        (read,) = asked_of(openai_server, task)
        assert 'at="2026-07-02 02:30"' in read, task
        assert "07-01" not in read, task


def test_yesterday_is_the_users(browser: Browser, openai_server: FakeOpenAI) -> None:
    """A search in the first hours of July in Athens, when it is still June in UTC."""
    product = browser.context.services
    for day, boat in ((29, "Pelican"), (30, "Albatross")):
        result = say(browser, f"I sailed on the {boat} today.", "Europe/Athens").get_json()
        run_sql(
            product,
            "UPDATE messages SET created_at = %(at)s WHERE conversation_id = %(own)s",
            at=datetime(2026, 6, day, 12, 0, tzinfo=UTC),
            own=result["conversation_id"],
        )
    query = "/api/v1/search?q=What did I sail on yesterday%3F&as_of=2026-06-30T22:30:00%2B00:00"
    snippets = [m["snippet"] for m in browser.get(query)["messages"]]
    assert "Albatross" in "".join(text for text, _ in snippets[0])
    assert row(browser, "SELECT time_zone FROM users")["time_zone"] == "Europe/Athens"
