"""What a model thinks before its reply: shown, kept beside the reply, and part of nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.embedding import embed_pending
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.user_data.erasure.scanning import find_text
from tests.integration.web.conftest import Browser, read_events
from tests.integration.web.cut_replies import CUT, REST, WHOLE, go_on
from tests.integration.worker import work_off
from tests.waiting import wait_for

MARK = "Xylophagous"
THOUGHT = f"They speak of {MARK}."
FIELD = Scripted(text="Hello to you.", reasoning=THOUGHT)
TAG = Scripted(text=f"<think>{THOUGHT}</think>\n\nHello to you.")
KEPT = ["messages.trace"]


@pytest.fixture(params=[FIELD, TAG], ids=["field", "tag"])
def thinking(request: pytest.FixtureRequest) -> Scripted:
    answer: Scripted = request.param
    return answer


def ask(site: Browser, server: FakeOpenAI, answer: Scripted = FIELD, **fields: object) -> str:
    """Asks, and gives back the conversation's id once all is closed."""
    server.script(answer)
    conversation_id = site.chat("Good day.", **fields).get_json()["conversation_id"]
    wait_for(lambda: not site.context.runner._threads)
    return str(conversation_id)


def trace_of(site: Browser, conversation_id: str, sequence: int = 1) -> dict[str, Any]:
    path = f"/api/v1/conversations/{conversation_id}/messages/{sequence}/trace"
    trace: dict[str, Any] = site.get(path)["trace"]
    return trace


def test_it_is_streamed_by_events_of_its_own(
    wired: Browser, openai_server: FakeOpenAI, thinking: Scripted
) -> None:
    openai_server.script(thinking)
    (first, meta), *events, (last, done) = wired.stream("Good day.")
    assert (first, meta["offset"], last) == ("meta", 0, "done")
    assert [name for name, _ in events] == sorted((name for name, _ in events), reverse=True)
    texts = {"reasoning": "", "delta": ""}
    for name, data in events:
        texts[name] += data["text"]
    assert texts == {"reasoning": THOUGHT, "delta": "Hello to you."}
    assert done["content"] == "Hello to you."
    assert done["reasoning_ms"] >= 0


def test_it_is_kept_beside_the_reply(
    wired: Browser, openai_server: FakeOpenAI, thinking: Scripted
) -> None:
    conversation_id = ask(wired, openai_server, thinking)
    question, reply = wired.messages(conversation_id)
    assert (reply["content"], question["reasoning_ms"]) == ("Hello to you.", None)
    assert trace_of(wired, conversation_id)["reasoning"] == {
        "text": THOUGHT,
        "ms": reply["reasoning_ms"],
    }
    [*_, (_, done)] = read_events(wired.client.get(f"/chat/{conversation_id}/1/stream"))
    assert (done["content"], done["reasoning_ms"]) == ("Hello to you.", reply["reasoning_ms"])


def test_a_reply_without_it_says_so(wired: Browser) -> None:
    (_, _), *events, (_, done) = wired.stream("Good day.")
    assert {name for name, _ in events} == {"delta"}
    assert done["reasoning_ms"] is None


def test_it_is_nowhere_but_in_the_trace_and_the_whole_export(
    wired: Browser, openai_server: FakeOpenAI, thinking: Scripted
) -> None:
    conversation_id = ask(wired, openai_server, thinking)
    wired.chat("And then?", conversation_id=conversation_id)
    wired.chat("Good day again.")
    work_off(wired.context.services)
    assert MARK not in json.dumps([request.body for request in openai_server.requests])
    assert find_text(wired.context.services, MARK) == KEPT
    hits = wired.get(f"/api/v1/search?q={MARK}")
    assert (hits["messages"], hits["episodes"], hits["conversations"]) == ([], [], [])
    for form in ("markdown", "json"):
        assert MARK not in wired.client.get(
            f"/api/v1/conversations/{conversation_id}/export?format={form}"
        ).get_data(as_text=True)
    export = json.loads(wired.client.get("/api/v1/export").get_data(as_text=True))
    [chat] = [
        exported
        for exported in export["conversations"]
        if exported["conversation_id"] == conversation_id
    ]
    reply = chat["messages"][1]
    assert (reply["content"], reply["trace"]["reasoning"]["text"]) == ("Hello to you.", THOUGHT)


@pytest.mark.parametrize("sequence", [0, 1])
def test_it_is_deleted_with_the_question_and_with_the_reply(
    wired: Browser, openai_server: FakeOpenAI, sequence: int
) -> None:
    conversation_id = ask(wired, openai_server)
    path = f"/api/v1/conversations/{conversation_id}/messages/{sequence}"
    assert wired.client.delete(path).status_code == 200
    assert find_text(wired.context.services, MARK) == []


def test_a_deleted_message_takes_what_was_thought_after_it(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    conversation_id = wired.chat("First.").get_json()["conversation_id"]
    ask(wired, openai_server, conversation_id=conversation_id)
    wired.client.post(
        f"/chat/{conversation_id}/3/retry", json={}
    )  # the thinking reply is a variant now
    assert find_text(wired.context.services, MARK) == ["reply_variants.trace"]
    assert (
        wired.client.delete(f"/api/v1/conversations/{conversation_id}/messages/0").status_code
        == 200
    )
    assert find_text(wired.context.services, MARK) == []
    assert len(wired.messages(conversation_id)[3]["variants"]) == 2


@pytest.mark.parametrize("value", [MARK, "Zinnober"])
def test_a_fact_that_is_forgotten_takes_what_was_thought_of_it(
    wired: Browser, openai_server: FakeOpenAI, value: str
) -> None:
    """Of a reply that was given the fact, or that has its words."""
    new = {"category": "identity", "key": "boat", "value": value}
    fact_id = wired.client.post("/api/v1/facts", json=new).get_json()["fact_id"]
    conversation_id = ask(wired, openai_server)
    assert find_text(wired.context.services, MARK)
    assert wired.client.delete(f"/api/v1/facts/{fact_id}?everywhere=true").status_code == 200
    assert find_text(wired.context.services, MARK) == []
    assert wired.messages(conversation_id)[1]["content"] == "Hello to you."


def test_a_dry_run_keeps_it(wired: Browser, openai_server: FakeOpenAI) -> None:
    conversation_id = ask(wired, openai_server)
    path = f"/api/v1/conversations/{conversation_id}/messages/0?dry_run=true"
    assert wired.client.delete(path).status_code == 200
    assert find_text(wired.context.services, MARK) == KEPT


def test_each_variant_has_its_own(wired: Browser, openai_server: FakeOpenAI) -> None:
    conversation_id = ask(wired, openai_server)
    wired.client.post(f"/chat/{conversation_id}/1/retry", json={})
    assert wired.messages(conversation_id)[1]["reasoning_ms"] is None
    path = f"/api/v1/conversations/{conversation_id}/messages/1"
    assert wired.client.patch(path, json={"variant": 1}).get_json()["reasoning_ms"] is not None
    assert trace_of(wired, conversation_id)["reasoning"]["text"] == THOUGHT


def test_a_reply_that_goes_on_has_what_was_thought_last(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    conversation_id = ask(wired, openai_server, Scripted(**{**vars(CUT), "reasoning": "At first."}))
    openai_server.script(REST)
    assert go_on(wired, conversation_id).get_json()["reply"] == WHOLE
    assert trace_of(wired, conversation_id)["reasoning"]["text"] == "At first."
    conversation_id = ask(wired, openai_server, Scripted(**{**vars(CUT), "reasoning": "At first."}))
    openai_server.script(Scripted(text=REST.text, reasoning="And then."))
    assert go_on(wired, conversation_id).get_json()["reply"] == WHOLE
    assert trace_of(wired, conversation_id)["reasoning"]["text"] == "And then."


def test_a_temporary_chat_shows_it_and_keeps_nothing(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    openai_server.script(FIELD)
    body = {"messages": [{"role": "user", "content": "Good day."}], "stream": True}
    events = list(read_events(wired.client.post("/chat/temporary", json=body)))
    thought = "".join(data["text"] for name, data in events if name == "reasoning")
    assert (thought, events[-1][1]["content"]) == (THOUGHT, "Hello to you.")
    assert find_text(wired.context.services, MARK) == []


def test_a_model_that_thinks_and_then_fails_leaves_what_it_thought(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    openai_server.script(Scripted(text="Hello", reasoning=THOUGHT, reset_after=0))
    [(_, meta), *events] = wired.stream("Good day.")
    assert (events[-1][0], events[-1][1]["status"]) == ("error", "failed")
    assert events[-1][1]["reasoning_ms"] is not None
    conversation_id = meta["conversation_id"]
    assert trace_of(wired, conversation_id)["reasoning"]["text"] == THOUGHT
    assert (
        wired.client.delete(f"/api/v1/conversations/{conversation_id}/messages/0").status_code
        == 200
    )
    assert find_text(wired.context.services, MARK) == []


def test_a_deleted_chat_takes_what_was_thought_of_it_elsewhere(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    source = wired.chat("The lighthouse keeper in the harbour has a parrot.").get_json()
    wait_for(lambda: not wired.context.runner._threads)
    embed_pending(wired.context.services)
    openai_server.script(FIELD)
    conversation_id = wired.chat("Which bird has the lighthouse keeper?").get_json()[
        "conversation_id"
    ]
    wait_for(lambda: not wired.context.runner._threads)
    assert trace_of(wired, conversation_id)["messages"]
    assert find_text(wired.context.services, MARK) == KEPT
    wired.client.delete(f"/api/v1/conversations/{source['conversation_id']}")
    assert find_text(wired.context.services, MARK) == []


def test_programs_get_it_also_again_and_no_later_prompt_does(
    wired: Browser, openai_server: FakeOpenAI, thinking: Scripted
) -> None:
    body = {"model": "fake-model", "messages": [{"role": "user", "content": "Good day."}]}
    key = {"Idempotency-Key": "once"}
    openai_server.script(thinking)
    for _ in range(2):
        answer = wired.client.post("/v1/chat/completions", json=body, headers=key).get_json()
        message = answer["choices"][0]["message"]
        assert (message["content"], message["reasoning_content"]) == ("Hello to you.", THOUGHT)
    [conversation] = wired.get("/api/v1/conversations")["conversations"]
    assert find_text(wired.context.services, MARK) == KEPT
    path = f"/api/v1/conversations/{conversation['conversation_id']}/messages/0"
    assert wired.client.delete(path).status_code == 200
    assert find_text(wired.context.services, MARK) == []


def test_a_program_that_names_the_former_response_does_not_send_it(
    wired: Browser, openai_server: FakeOpenAI, thinking: Scripted
) -> None:
    openai_server.script(thinking)
    first = wired.client.post("/v1/responses", json={"model": "fake-model", "input": "Good day."})
    body = {"previous_response_id": first.get_json()["id"], "input": "And then?"}
    again = wired.client.post("/v1/responses", json={"model": "fake-model", **body})
    assert again.status_code == 200
    assert "Hello to you." in json.dumps(openai_server.requests[-1].body)
    assert MARK not in json.dumps(openai_server.requests[-1].body)
