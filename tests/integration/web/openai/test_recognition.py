"""Clients resend their history: every message is stored once, in the conversation it belongs to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.web.conftest import Browser
from tests.integration.web.openai.conftest import Client, list_said, list_stored

pytestmark = pytest.mark.newcomers

TALK = ("My name is Ada.", "I live in Lisbon.", "I have a cat called Miso.", "What is my name?")


def texts(client: Client) -> list[tuple[str, str]]:
    return [(message["role"], message["content"]) for message in client.history]


def test_a_history_that_is_resent_is_stored_once(browser: Browser, client: Client) -> None:
    ids = set()
    for text in TALK:
        client.say(text)
        ids.add(client.conversation_id)
    assert len(ids) == 1
    assert list_stored(browser) == texts(client)


def test_two_clients_that_begin_alike_stay_two_conversations(
    browser: Browser, make_client: Callable[[], Client]
) -> None:
    first, other = make_client(), make_client()
    for client in (first, other):
        client.say("hi")
    assert first.history == other.history
    for text in TALK:
        for client, suffix in ((first, " One."), (other, " Other.")):
            client.say(text + suffix)
    assert first.conversation_id != other.conversation_id
    stored = list_stored(browser)
    assert sorted(stored) == sorted(texts(first) + texts(other))
    assert stored in (texts(first) + texts(other), texts(other) + texts(first))


def test_a_reply_that_is_written_again_does_not_double_its_question(
    browser: Browser, client: Client
) -> None:
    client.say(TALK[0])
    client.say(TALK[1])
    client.history.pop()
    client.send()
    assert list_stored(browser) == texts(client)


def test_a_client_that_drops_its_oldest_messages_goes_on_in_its_conversation(
    browser: Browser, client: Client
) -> None:
    messages = []
    for number in range(12):
        text = f"{TALK[number % 3]} That was message {number}."
        messages.append(text)
        client.say(text)
        client.history = client.history[-5:]
    assert list_said(browser) == messages


def test_an_edited_message_begins_a_branch_without_what_both_have_in_common(
    browser: Browser, client: Client
) -> None:
    for text in TALK:
        client.say(text)
    first = client.conversation_id
    client.history = client.history[:2]
    client.say("I live in Porto.")
    client.say("I like tea.")
    assert client.conversation_id != first
    assert sorted(list_said(browser)) == sorted([*TALK, "I live in Porto.", "I like tea."])


def test_a_history_that_was_never_seen_is_stored_once(browser: Browser, client: Client) -> None:
    client.history = [
        {"role": "user", "content": "My name is Ada."},
        {"role": "assistant", "content": "Nice to meet you, Ada."},
        {"role": "user", "content": "I live in Lisbon."},
        {"role": "assistant", "content": "Lisbon is beautiful."},
    ]
    client.say("I play the cello.")
    client.say("What do I play?")
    assert list_stored(browser) == texts(client)


def test_replies_that_a_client_trims_are_known_again(
    wired: Browser, wired_client: Client, openai_server: FakeOpenAI
) -> None:
    openai_server.by_task["reply"] = Scripted(
        text="<think>She says her name.</think>\n\nHello  Ada, how are you today?\n"
    )
    for text in TALK:
        wired_client.say(text)
        wired_client.history[-1]["content"] = "Hello Ada, how are you today?"
    assert list_said(wired) == list(TALK)


def test_a_named_conversation_gets_the_new_message_alone(browser: Browser, client: Client) -> None:
    client.say(TALK[0])
    headers = {"X-Conversation-Id": client.conversation_id}
    for text in TALK[1:]:
        client.history = []
        client.say(text, headers=headers)
    assert list_said(browser) == list(TALK)
    client.history = []
    client.say("And once more.", metadata={"conversation_id": client.conversation_id})
    assert list_said(browser) == [*TALK, "And once more."]


def test_a_client_may_name_conversations_itself(
    browser: Browser, make_client: Callable[[], Client]
) -> None:
    clients = [make_client(), make_client()]
    for number, client in enumerate(clients):
        client.headers["X-OpenWebUI-Chat-Id"] = f"chat-{number}"
    for text in ("hi", "hi", "hi"):
        for client in clients:
            client.say(text)
    assert clients[0].conversation_id != clients[1].conversation_id
    assert len(list_said(browser)) == 6


def test_a_question_that_got_no_answer_is_not_doubled(
    wired: Browser, wired_client: Client, openai_server: FakeOpenAI
) -> None:
    wired_client.say(TALK[0])
    openai_server.script(Scripted(status=500))
    wired_client.history.append({"role": "user", "content": TALK[1]})
    assert wired_client.post(wired_client.history).status_code >= 500
    wired_client.send()
    openai_server.script(Scripted(status=500))
    wired_client.history.append({"role": "user", "content": TALK[2]})
    assert wired_client.post(wired_client.history).status_code >= 500
    wired_client.say(TALK[3])
    assert list_said(wired) == list(TALK)


def test_tools_are_passed_through_and_stored_once(
    wired: Browser, wired_client: Client, openai_server: FakeOpenAI
) -> None:
    call = {
        "id": "call_1",
        "type": "function",
        "function": {"name": "weather", "arguments": '{"city": "Lisbon"}'},
    }
    tools: list[dict[str, Any]] = [{"type": "function", "function": {"name": "weather"}}]
    openai_server.script(Scripted(text="", tool_calls=(call,), finish_reason="tool_calls"))
    question = {"role": "user", "content": "What is the weather in Lisbon?"}
    answer = wired_client.post([question], tools=tools).get_json()
    choice = answer["choices"][0]
    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["tool_calls"] == [call]
    assert openai_server.requests[-1].body["tools"] == tools

    result = {"role": "tool", "tool_call_id": "call_1", "content": "Sunny. I live in Rome."}
    history = [question, choice["message"], result]
    openai_server.script(Scripted(text="It is sunny in Lisbon."))
    answer = wired_client.post(history, tools=tools)
    messages = openai_server.requests[-1].body["messages"]
    assert [message for message in messages if message["role"] != "system"][-1] == result
    history += [answer.get_json()["choices"][0]["message"], {"role": "user", "content": "Thanks!"}]
    wired_client.post(history, tools=tools)
    assert list_stored(wired)[:4] == [
        ("user", "What is the weather in Lisbon?"),
        ("assistant", ""),
        ("user", ""),
        ("assistant", "It is sunny in Lisbon."),
    ]
    assert list_said(wired) == ["What is the weather in Lisbon?", "", "Thanks!"]
    [conversation] = wired.get("/api/v1/export")["conversations"]
    exported = [message["sent"] for message in conversation["messages"]]
    assert exported[0] is None
    assert exported[1][0]["tool_calls"] == [call]
    assert exported[2] == [result]


@pytest.mark.parametrize("name", ["new", "null", "undefined", "{{LIBRECHAT_BODY_CONVERSATIONID}}"])
def test_a_placeholder_is_no_name_of_a_conversation(
    make_client: Callable[[], Client], name: str
) -> None:
    first, second = make_client(), make_client()
    for client in (first, second):
        client.headers = {"X-Client-Conversation-Id": name}
        client.say("Hello")
    assert first.conversation_id != second.conversation_id


def test_a_client_that_was_streamed_reasoning_goes_on_in_its_conversation(
    wired: Browser, wired_client: Client, openai_server: FakeOpenAI
) -> None:
    """What is streamed cannot be taken back, so that the client has it before the answer."""
    wired_client.say(TALK[0])
    first = wired_client.conversation_id
    openai_server.script(Scripted(text="a plan of steps\n</think>\n\nThe answer is 4."))
    wired_client.say(TALK[1])
    assert wired_client.history[-1]["content"] == "The answer is 4."
    wired_client.history[-1]["content"] = "a plan of steps\n</think>\n\nThe answer is 4."
    wired_client.say(TALK[2])
    assert wired_client.conversation_id == first
    assert list_said(wired) == list(TALK[:3])
