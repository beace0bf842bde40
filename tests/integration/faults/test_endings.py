"""What a reader is told of a reply's end is what the database keeps of it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from shared.maintenance.sweep import sweep
from shared.maintenance.verify import find_breaches
from shared.models import ConversationId
from shared.services import Services
from shared.store import messages
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.web.conftest import Browser, read_events
from tests.integration.worker import expire_leases, list_jobs, run_sql, work_off
from tests.services import as_owner
from tests.waiting import wait_for

COUNTED = " ".join(f"word{number}" for number in range(30))
WORDS = 5  # that a reader has seen before the fault
SLOW = Scripted(text=COUNTED, piece_delay_s=0.05, held_after=WORDS)
DRAIN_S = 0.1

# The statement that closes a reply fails, as no passing fault of the database does.
BREAK = """
    CREATE FUNCTION break() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'cannot close'; END $$;
    CREATE TRIGGER broken BEFORE UPDATE ON messages
        FOR EACH ROW WHEN (NEW.status <> 'streaming') EXECUTE FUNCTION break();
"""
MEND = "DROP FUNCTION break CASCADE"
Events = list[tuple[str, Any]]


def close_as_abandoned(product: Services) -> None:
    """The lease is lost, as when a machine slept: the sweep closes with what the log holds."""
    expire_leases(product)
    sweep(product)


@pytest.fixture
def goes_on() -> threading.Event:
    """After a few words the model waits for this."""
    return threading.Event()


@pytest.fixture
def other(make_browser: Callable[..., Browser], model_settings: dict[str, object]) -> Browser:
    """Of another process of the same site."""
    return make_browser(**model_settings)


def start(browser: Browser, server: FakeOpenAI, goes_on: threading.Event) -> tuple[Any, str]:
    """Events of a reply of which a few words are there, and its conversation."""
    server.script(replace(SLOW, goes_on=goes_on))
    events = read_events(browser.chat("Count.", stream=True))
    conversation_id, text = next(events)[1]["conversation_id"], ""
    while len(text.split()) < WORDS:
        text += next(events)[1]["text"]
    return events, conversation_id


def wait_for_words(product: Services) -> None:
    """Until the log of the only reply holds some."""
    wait_for(lambda: product.redis.keys("reply:*"))


def told_and_kept(events: Events, browser: Browser, conversation_id: str) -> tuple[str, ...]:
    """The last event agrees with the row; returns what both say."""
    last, message = events[-1][1], browser.messages(conversation_id)[1]
    for field in ("status", "finish_reason", "content"):
        assert last[field] == message[field], field
    assert last.get("message") == message["error"]
    return message["status"], message["finish_reason"], message["content"]


def test_who_lost_the_lease_tells_what_the_sweep_has_kept(
    wired: Browser, openai_server: FakeOpenAI, goes_on: threading.Event
) -> None:
    product = wired.context.services
    events, conversation_id = start(wired, openai_server, goes_on)
    wait_for_words(product)
    close_as_abandoned(product)
    goes_on.set()
    status, reason, content = told_and_kept(list(events), wired, conversation_id)
    assert (status, reason) == ("partial", "error")
    assert COUNTED.startswith(content)
    assert 0 < len(content) < len(COUNTED)
    work_off(product)
    assert find_breaches(product.database, product.settings, quiet=True) == []


def test_so_does_an_answer_that_is_not_streamed(
    wired: Browser, openai_server: FakeOpenAI, goes_on: threading.Event
) -> None:
    product = wired.context.services
    openai_server.script(replace(SLOW, goes_on=goes_on))
    with ThreadPoolExecutor(1) as threads:
        answer = threads.submit(wired.chat, "Count.")
        wait_for_words(product)
        close_as_abandoned(product)
        goes_on.set()
        body = answer.result().get_json()
    message = wired.messages(body["conversation_id"])[1]
    assert body["error"]["message"] == message["error"]
    assert (body["reply"], message["status"]) == (message["content"], "partial")


def test_a_closed_part_can_be_continued_although_its_writer_was_only_late(
    wired: Browser, openai_server: FakeOpenAI, goes_on: threading.Event
) -> None:
    events, conversation_id = start(wired, openai_server, goes_on)
    wait_for_words(wired.context.services)
    close_as_abandoned(wired.context.services)
    goes_on.set()
    list(events)
    openai_server.script(Scripted(text=COUNTED))
    assert (
        wired.client.post(f"/chat/{conversation_id}/1/continue", json={}).get_json()["reply"]
        == COUNTED
    )


@pytest.mark.parametrize("way", ["retry", "continue"])
def test_a_reply_that_is_written_anew_elsewhere_is_not_ended_by_the_late_writer(
    wired: Browser,
    other: Browser,
    openai_server: FakeOpenAI,
    goes_on: threading.Event,
    way: str,
) -> None:
    events, conversation_id = start(wired, openai_server, goes_on)
    wait_for_words(wired.context.services)
    close_as_abandoned(wired.context.services)
    part = wired.messages(conversation_id)[1]["content"]
    openai_server.script(Scripted(text=f"{part}and the rest."))
    answer = other.client.post(f"/chat/{conversation_id}/1/{way}", json={})
    assert answer.get_json()["reply"] == f"{part}and the rest."
    goes_on.set()
    rest = list(events)
    assert {name for name, _ in rest} == {"delta"}  # the stream ends: its reader comes again
    again = wired.client.get(
        f"/chat/{conversation_id}/1/stream", headers={"Last-Event-ID": rest[-1][1]["id"]}
    )
    later_events = list(read_events(again))
    assert later_events[0][1]["offset"] == 0
    told_and_kept(later_events, wired, conversation_id)
    assert later_events[-1][1]["status"] == "complete"


def test_who_waits_for_a_whole_reply_gets_the_one_that_was_written_anew(
    wired: Browser, other: Browser, openai_server: FakeOpenAI, goes_on: threading.Event
) -> None:
    product = wired.context.services
    openai_server.script(replace(SLOW, goes_on=goes_on))
    with ThreadPoolExecutor(1) as threads:
        answer = threads.submit(wired.chat, "Count.")
        wait_for_words(product)
        close_as_abandoned(product)
        (conversation,) = wired.get("/api/v1/conversations")["conversations"]
        openai_server.script(Scripted(text="Another one."))
        other.client.post(f"/chat/{conversation['conversation_id']}/1/retry", json={})
        goes_on.set()
        body = answer.result().get_json()
    assert (body["reply"], body["status"]) == ("Another one.", "complete")


def test_a_late_writer_does_not_take_the_place_of_a_later_attempt_in_its_own_process(
    wired: Browser, openai_server: FakeOpenAI, goes_on: threading.Event
) -> None:
    """The later attempt can still be found there, followed and stopped."""
    events, conversation_id = start(wired, openai_server, goes_on)
    close_as_abandoned(wired.context.services)
    openai_server.script(Scripted(text=COUNTED * 40, piece_delay_s=0.05))
    with ThreadPoolExecutor(1) as threads:
        later = threads.submit(wired.client.post, f"/chat/{conversation_id}/1/retry", json={})
        wait_for(lambda: wired.messages(conversation_id)[1]["status"] == "streaming")
        goes_on.set()
        list(events)
        with as_owner(wired.context.services) as connection:
            attempt = messages.get_message(connection, ConversationId(conversation_id), 1).attempt
        live = wired.context.runner.find_live(attempt)
        assert live is not None
        assert live.outcome is None
        assert wired.client.post(f"/chat/{conversation_id}/1/stop", json={}).status_code == 202
        body = later.result().get_json()
    assert (body["status"], body["finish_reason"]) == ("partial", "cancelled")
    assert body["reply"] == wired.messages(conversation_id)[1]["content"]


def test_a_conversation_that_was_deleted_meanwhile_has_no_reply(
    wired: Browser, openai_server: FakeOpenAI, goes_on: threading.Event
) -> None:
    events, conversation_id = start(wired, openai_server, goes_on)
    assert wired.client.delete(f"/api/v1/conversations/{conversation_id}").status_code < 300
    goes_on.set()
    name, last = list(events)[-1]
    assert (name, last["code"], last["status"]) == ("error", "not_found", "failed")


@pytest.mark.changes_schema
def test_a_reply_that_cannot_be_saved_is_not_called_complete(
    wired: Browser, openai_server: FakeOpenAI, goes_on: threading.Event
) -> None:
    product = wired.context.services
    events, conversation_id = start(wired, openai_server, goes_on)
    run_sql(product, BREAK)
    goes_on.set()
    name, last = list(events)[-1]
    assert (name, last["status"], last["content"]) == ("error", "partial", COUNTED)
    assert last["code"] == "database_unavailable"
    run_sql(product, MEND)
    close_as_abandoned(product)
    message = wired.messages(conversation_id)[1]
    assert (message["status"], message["content"]) == ("partial", COUNTED)


def test_what_a_shutdown_cuts_off_is_not_called_stopped(
    wired: Browser, openai_server: FakeOpenAI, goes_on: threading.Event
) -> None:
    events, conversation_id = start(wired, openai_server, goes_on)
    wired.context.runner.drain(DRAIN_S)
    status, reason, content = told_and_kept(list(events), wired, conversation_id)
    assert (status, reason) == ("partial", "error")
    assert COUNTED.startswith(content)
    assert "restarted" in wired.messages(conversation_id)[1]["error"]
    assert list_jobs(wired.context.services, "processing")
