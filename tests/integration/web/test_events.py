"""A user's events as a stream."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from typing import Any, cast

import pytest

from shared.ephemeral.news import JobChange, tell_job_change
from shared.models import ConversationId
from tests.integration.web.conftest import Browser, read_events
from tests.integration.web.identity.test_identification import PROXY

CHANGED = "conversation.changed"
HOME = {"category": "identity", "key": "shoe_size", "value": "Lisbon"}


def test_events_arrive_as_they_happen(browser: Browser) -> None:
    stream = follow(browser)
    assert next(stream)[0] == "ready"
    fact = browser.client.post("/api/v1/facts", json=HOME).get_json()
    name, event = next(stream)
    assert name == event["type"] == "fact.learned"
    assert event["data"]["fact_id"] == fact["fact_id"]
    assert event["data"]["fact"] == HOME
    browser.client.patch(f"/api/v1/facts/{fact['fact_id']}", json={"value": "Porto"})
    name, event = next(stream)
    assert name == "fact.replaced"
    assert event["data"]["replaced_fact_id"] == fact["fact_id"]
    stream.close()
    assert browser.context.limits.followers.in_use == 0


def test_other_pages_hear_that_a_conversation_has_changed(browser: Browser) -> None:
    conversation_id = browser.chat("Hello").get_json()["conversation_id"]
    stream = follow(browser)
    assert next(stream)[0] == "ready"
    browser.chat("Hello again", conversation_id=conversation_id)
    reply = next_change(stream)
    assert (reply["conversation_id"], reply["sequence"]) == (conversation_id, 3)
    assert re.fullmatch(r"[0-9a-f]{16}", reply["attempt"])
    of_the_row = {"conversation_id": conversation_id, "sequence": None, "attempt": None}
    address = f"/api/v1/conversations/{conversation_id}"
    browser.client.patch(address, json={"title": "Greetings"})
    changes = [next_change(stream)]
    if changes == [reply]:  # its end; told apart from its begin only if that was read before
        changes = [next_change(stream)]
    assert changes == [of_the_row]
    browser.client.delete(f"{address}/messages/0?dry_run=true")
    browser.client.delete(f"{address}/messages/0")
    assert next_change(stream) == of_the_row
    browser.client.delete(f"{address}?dry_run=true")
    browser.client.delete(address)
    assert next_change(stream) == of_the_row
    stream.close()
    again = follow(browser, "?wait=false&last_event_id=0")
    assert CHANGED not in {name for name, _ in again}  # it is not kept


def test_pages_hear_of_work_on_a_job(browser: Browser) -> None:
    conversation_id = ConversationId(browser.chat("Hello").get_json()["conversation_id"])
    stream = follow(browser)
    assert next(stream)[0] == "ready"
    change = JobChange(browser.user_id, conversation_id, "summary", is_running=True)
    tell_job_change(browser.context.services.redis, change)
    *_, (_, event) = take_until(stream, "job.changed")
    stream.close()
    assert "id" not in event
    assert event["data"] == {
        "conversation_id": conversation_id,
        "kind": "summary",
        "running": True,
    }


def take_until(
    stream: Generator[tuple[str, dict[str, Any]], None, None], last: str
) -> Generator[tuple[str, dict[str, Any]], None, None]:
    for name, event in stream:
        yield name, event
        if name == last:
            return


def next_change(stream: Generator[tuple[str, dict[str, Any]], None, None]) -> dict[str, Any]:
    name, event = next(stream)
    assert name == event["type"] == CHANGED
    assert "id" not in event
    return cast("dict[str, Any]", event["data"])


def test_a_client_that_comes_back_is_given_what_it_has_missed(browser: Browser) -> None:
    stream = follow(browser)
    _, ready = next(stream)
    stream.close()
    for key in ("a", "b"):
        browser.client.post("/api/v1/facts", json=HOME | {"key": key})
    stream = follow(browser, **{"Last-Event-ID": ready["id"]})
    assert next(stream)[0] == "ready"
    first, second = next(stream)[1], next(stream)[1]
    assert [e["data"]["fact"]["key"] for e in (first, second)] == ["a", "b"]
    stream.close()
    again = follow(browser, **{"Last-Event-ID": first["id"]})
    assert [next(again)[1]["id"] for _ in range(2)] == [first["id"], second["id"]]
    again.close()


def test_a_stream_may_end_with_what_has_happened(browser: Browser) -> None:
    browser.client.post("/api/v1/facts", json=HOME)
    events = list(follow(browser, "?wait=false&last_event_id=0"))
    assert [name for name, _ in events] == ["ready", "fact.learned"]
    newest = events[-1][1]["id"]
    ahead = {"Last-Event-ID": str(int(newest) + 10_000)}  # of a database that was restored
    assert [data["id"] for _, data in follow(browser, "?wait=false", **ahead)] == [newest]


def test_two_users_follow_their_own(make_browser: Callable[..., Browser]) -> None:
    site = make_browser(**PROXY)
    ada, bob = ({"X-Forwarded-User": name} for name in ("ada", "bob"))
    of_ada, of_bob = follow(site, **ada), follow(site, **bob)
    assert next(of_ada)[0] == next(of_bob)[0] == "ready"
    answer = site.client.post("/chat", json={"message": "Only Ada's."}, headers=ada)
    assert next_change(of_ada)["conversation_id"] == answer.get_json()["conversation_id"]
    site.client.post("/api/v1/facts", json=HOME | {"value": "Ada's"}, headers=ada)
    site.client.post("/api/v1/facts", json=HOME | {"value": "Bob's"}, headers=bob)
    # The end of the reply may be told apart from its begin. Bob hears of neither.
    [*_, (_, fact)] = take_until(of_ada, "fact.learned")
    assert fact["data"]["fact"]["value"] == "Ada's"
    assert next(of_bob)[1]["data"]["fact"]["value"] == "Bob's"
    of_ada.close()
    of_bob.close()


def test_events_arrive_without_redis(make_browser: Callable[..., Browser]) -> None:
    browser = make_browser(redis_url="redis://127.0.0.1:1")
    stream = follow(browser)
    assert next(stream)[0] == "ready"
    browser.client.post("/api/v1/facts", json=HOME)
    assert next(stream)[0] == "fact.learned"
    stream.close()


def test_followers_of_events_count_among_the_users_followers(browser: Browser) -> None:
    most = browser.context.services.settings.max_followers_per_user
    streams = [follow(browser) for _ in range(most)]
    assert {next(stream)[0] for stream in streams} == {"ready"}
    assert browser.client.get("/api/v1/events").status_code == 429
    for stream in streams:
        stream.close()
    assert [name for name, _ in follow(browser, "?wait=false")] == ["ready"]


@pytest.mark.parametrize("last_id", ["x", "-1", "1-1", "٣", "9" * 30, str(2**63)])
def test_an_id_that_is_none_is_refused(browser: Browser, last_id: str) -> None:
    answer = browser.client.get("/api/v1/events", query_string={"last_event_id": last_id})
    assert answer.status_code == 400
    assert browser.context.limits.followers.in_use == 0


def follow(
    browser: Browser, query: str = "", **headers: str
) -> Generator[tuple[str, Any], None, None]:
    answer = browser.client.get(f"/api/v1/events{query}", headers=headers)
    assert answer.status_code == 200, answer.text
    return cast("Generator[tuple[str, Any], None, None]", read_events(answer))
