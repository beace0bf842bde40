"""The tool that forgets: facts, and notes with what they taught."""

from __future__ import annotations

import pytest

from tests.integration.web.mcp.conftest import Memory
from tests.integration.web.mcp.test_tools import LISBON, conversation_of, learn

pytestmark = pytest.mark.newcomers


def test_a_dry_run_of_forgetting_tells_and_removes_nothing(memory: Memory) -> None:
    [entry] = memory.call("remember", facts=[LISBON])["facts"]
    uri = entry["fact"]["uri"]
    preview = memory.call("forget", uri=uri, dry_run=True)
    assert (preview["dry_run"], preview["counts"]) == (True, {"facts": 1})
    done = memory.call("forget", uri=uri)
    assert done == preview | {"dry_run": False}
    assert memory.fail("forget", uri=uri) == "There is no such fact. (not_found)"
    assert memory.call("list_facts")["facts"] == []


def test_a_note_is_forgotten_with_its_reply(memory: Memory) -> None:
    uri = memory.call("remember", text="My boat is called Xylophone.")["note"]["uri"]
    done = memory.call("forget", uri=uri, everywhere=True)
    assert done["messages"] == [uri, uri[:-1] + "1"]
    assert memory.call("search", query="Xylophone")["messages"] == []
    assert memory.fail("forget", uri=uri) == "There is no such message. (not_found)"


def test_a_fact_is_forgotten_everywhere(memory: Memory) -> None:
    uri = memory.call("remember", text="I live in Lisbon.")["note"]["uri"]
    learn(memory, conversation_of(uri))
    [fact] = memory.call("list_facts")["facts"]
    done = memory.call("forget", uri=fact["uri"], everywhere=True)
    assert uri in done["messages"]
    assert memory.call("search", query="Lisbon")["messages"] == []
