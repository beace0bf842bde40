"""What else a tool's call does: events, and its place among the other writers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from shared.models import ConversationId, NewEvent, UserId
from shared.store import conversations, events
from tests.integration.locks import wait_for_blocked_statement
from tests.integration.web.mcp.conftest import Memory
from tests.integration.web.test_events import follow

USER = UserId("local")
SHOES = {"category": "identity", "key": "shoe_size", "value": "42"}


def test_followers_hear_of_it_at_once(memory: Memory) -> None:
    stream = follow(memory.browser)
    assert next(stream)[0] == "ready"
    [entry] = memory.call("remember", facts=[SHOES])["facts"]
    assert next(stream)[0] == "fact.learned"
    memory.call("correct", uri=entry["fact"]["uri"], value="43")
    name, event = next(stream)
    assert (name, event["data"]["fact"]["value"]) == ("fact.replaced", "43")
    stream.close()


def test_a_note_with_facts_waits_for_a_closing_episode_without_a_deadlock(memory: Memory) -> None:
    """The end of an episode locks its conversation, and then the user's events."""
    first = memory.call("remember", text="I moved to Lisbon.")
    notes = ConversationId(first["note"]["uri"].split("/")[3])
    services = memory.browser.context.services
    with ThreadPoolExecutor(1) as thread:
        with services.database.transaction(user=USER) as connection:
            conversations.lock_conversation(connection, USER, notes)
            remembering = thread.submit(
                memory.call, "remember", text="I have a boat.", facts=[SHOES]
            )
            wait_for_blocked_statement(services.settings.database_url)
            events.add_event(connection, USER, NewEvent(type="episode.closed", data={}))
        result = remembering.result()
    assert result["note"]["outcome"] == "kept"
    assert [entry["outcome"] for entry in result["facts"]] == ["recorded"]
