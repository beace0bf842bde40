"""Resources and prompts: listed in pages, read one by one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError
from mcp.types import TextContent, TextResourceContents

from shared.derivations.kinds import do_job
from tests.integration.conversing import Conversing
from tests.integration.web.mcp.conftest import Memory
from tests.integration.worker import list_jobs

pytestmark = pytest.mark.newcomers


def read(memory: Memory, uri: str) -> Any:
    result = memory.use(lambda client: client.read_resource(uri))
    [content] = result.contents
    assert isinstance(content, TextResourceContents)
    return json.loads(content.text)


def list_all(memory: Memory) -> list[str]:
    uris: list[str] = []
    cursor: str | None = None
    while True:
        start = cursor
        page = memory.use(lambda client: client.list_resources(cursor=start))  # noqa: B023
        uris += [str(resource.uri) for resource in page.resources]
        if (cursor := page.next_cursor) is None:
            return uris


def make_episode(talk: Conversing) -> None:
    """Enough rounds for one, and its job."""
    for number in range(12):
        talk.round(f"Message {number} about bees.")
    for job in list_jobs(talk.services, "processing"):
        if job.kind == "episode":
            do_job(talk.services, job.kind, job.job_id)


def test_facts_and_episodes_are_listed_and_read(memory: Memory, talk: Conversing) -> None:
    fact = {"category": "identity", "key": "home_city", "value": "Lisbon"}
    memory.call("remember", facts=[fact])
    make_episode(talk)
    [fact_uri, episode_uri] = list_all(memory)
    assert read(memory, fact_uri)["value"] == "Lisbon"
    assert "bees" in read(memory, episode_uri)["summary"]


def test_many_facts_are_listed_in_pages(memory: Memory) -> None:
    for batch in range(5):
        facts = [
            {"category": "identity", "key": f"thing_{batch}_{n}", "value": "x"} for n in range(50)
        ]
        memory.call("remember", facts=facts)
    uris = list_all(memory)
    assert len(uris) == len(set(uris)) == 250


def test_a_message_is_read_whole(memory: Memory) -> None:
    text = "The bees swarmed. " * 100
    uri = memory.call("remember", text=text)["note"]["uri"]
    assert read(memory, uri)["excerpt"] == text


def test_templates_name_all_addresses(memory: Memory) -> None:
    result = memory.use(lambda client: client.list_resource_templates())
    assert [template.uri_template for template in result.resource_templates] == [
        "throughline://facts/{id}",
        "throughline://episodes/{id}",
        "throughline://conversations/{conversation_id}/messages/{sequence}",
    ]


@pytest.mark.parametrize(
    ("uri", "message"),
    [
        ("throughline://facts/9", "There is no such fact."),
        ("throughline://episodes/9", "There is no such episode."),
        (
            "throughline://conversations/00000000-0000-0000-0000-000000000000/messages/0",
            "There is no such conversation.",
        ),
        ("throughline://facts/../facts/1", "uri: is not an address of this memory."),
        ("file:///etc/passwd", "uri: is not an address of this memory."),
    ],
)
def test_what_is_not_there_is_told(memory: Memory, uri: str, message: str) -> None:
    with pytest.raises(MCPError) as raised:
        read(memory, uri)
    assert raised.value.error.message.startswith(message)
    assert raised.value.error.code == -32602


@pytest.mark.parametrize("cursor", ["x", "facts:x", "messages:1", "episodes:-1", ":", "facts::1"])
def test_a_cursor_that_is_none_is_told(memory: Memory, cursor: str) -> None:
    with pytest.raises(MCPError, match="not a place in this list"):
        memory.use(lambda client: client.list_resources(cursor=cursor))


def test_a_prompt_gives_a_question_with_its_memory(memory: Memory) -> None:
    memory.call("remember", text="My boat is called Xylophone.")
    prompt = memory.use(
        lambda client: client.get_prompt("with_memory", {"question": "What is my boat called?"})
    )
    [message] = prompt.messages
    assert isinstance(message.content, TextContent)
    assert "Xylophone" in message.content.text
    assert message.content.text.endswith("What is my boat called?")
    with pytest.raises(MCPError, match="The message is empty"):
        memory.use(lambda client: client.get_prompt("with_memory", {}))
    with pytest.raises(MCPError, match="no such prompt"):
        memory.use(lambda client: client.get_prompt("nothing", {"question": "x"}))
