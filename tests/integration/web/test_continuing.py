"""`POST /chat/{id}/{sequence}/continue`: a reply that was cut goes on in its own message."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from shared.models import ConversationId, Outcome, ReplyAttempt
from shared.store import replies
from tests.fakes.openai_json import words_of
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.conversing import Conversing
from tests.integration.web.conftest import Browser, read_events
from tests.integration.web.cut_replies import (
    CUT,
    LONG_REST,
    REST,
    SLOW_REST,
    WHOLE,
    go_on,
    read_stored,
    say_cut,
)
from tests.refusals import code_of, message_of
from tests.services import as_owner

NOBODYS = "00000000-0000-0000-0000-000000000000"


def test_it_goes_on_in_the_same_message(wired: Browser, openai_server: FakeOpenAI) -> None:
    conversation_id = say_cut(wired, openai_server)
    before = wired.messages(conversation_id)
    openai_server.script(REST)
    answer = go_on(wired, conversation_id)
    assert answer.status_code == 200
    body = answer.get_json()
    assert (body["reply"], body["sequence"]) == (WHOLE, 1)
    assert (body["status"], body["finish_reason"]) == ("complete", "stop")
    after = wired.messages(conversation_id)
    assert [m["sequence_number"] for m in after] == [0, 1]
    assert (after[0], after[1]["created_at"]) == (before[0], before[1]["created_at"])
    assert read_stored(wired, conversation_id) == ("complete", "stop", WHOLE)


def test_the_model_gets_the_prompt_and_the_text_so_far(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    conversation_id = say_cut(wired, openai_server, "My name is Ada.")
    first = openai_server.requests[-1].body
    go_on(wired, conversation_id, 3)
    again = openai_server.requests[-1].body
    assert again["messages"][0] == first["messages"][0]
    assert words_of(again)[:-2] == words_of(first)
    assert [m["role"] for m in again["messages"][-2:]] == ["assistant", "user"]
    assert again["messages"][-2]["content"] == CUT.text
    assert CUT.text in again["messages"][-1]["content"]


def test_what_is_cut_again_can_be_continued_again(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    conversation_id = say_cut(wired, openai_server)
    openai_server.script(
        Scripted(text=f"{CUT.text} seven eight", finish_reason="length"),
        Scripted(text="six seven eight nine."),
    )
    assert go_on(wired, conversation_id).get_json()["finish_reason"] == "length"
    assert go_on(wired, conversation_id).get_json()["reply"] == f"{CUT.text} seven eight nine."


def test_the_stream_of_a_continuation_can_be_resumed_here_and_elsewhere(
    wired: Browser, make_browser: Callable[..., Browser], openai_server: FakeOpenAI
) -> None:
    conversation_id = say_cut(wired, openai_server)
    old = read_events(wired.client.get(f"/chat/{conversation_id}/1/stream"))
    old_id = list(old)[-1][1]["id"]
    openai_server.script(SLOW_REST)
    events = read_events(go_on(wired, conversation_id, stream=True))
    meta = next(events)[1]
    old_text, delta = next(events)[1]["text"], next(events)[1]
    events.close()  # type: ignore[attr-defined]
    assert meta["offset"] == 0
    assert old_text == CUT.text
    text = old_text + delta["text"]
    for site in (wired, make_browser()):
        rest = follow(site, conversation_id, delta["id"])
        assert rest[0][1]["offset"] == len(text)
        assert text + joined(rest) == SLOW_REST.text == rest[-1][1]["content"]
        # The old id is of the shorter text: another attempt, so it comes from its start.
        again = follow(site, conversation_id, old_id)
        assert (again[0][1]["offset"], joined(again)) == (0, SLOW_REST.text)


def test_stopping_a_continuation_keeps_what_was_there_and_what_came(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    conversation_id = say_cut(wired, openai_server)
    openai_server.script(LONG_REST)
    events = read_events(go_on(wired, conversation_id, stream=True))
    assert [next(events)[0] for _ in range(3)] == ["meta", "delta", "delta"]
    assert wired.client.post(f"/chat/{conversation_id}/1/stop", json={}).status_code == 202
    name, done = list(events)[-1]
    assert (name, done["status"], done["finish_reason"]) == ("done", "partial", "cancelled")
    assert CUT.text in done["content"]
    assert len(CUT.text) < len(done["content"]) < len(LONG_REST.text)
    assert read_stored(wired, conversation_id)[2] == done["content"]
    openai_server.script(Scripted(text=LONG_REST.text))
    assert go_on(wired, conversation_id).get_json()["reply"] == LONG_REST.text


def test_clicking_twice_is_one_continuation(wired: Browser, openai_server: FakeOpenAI) -> None:
    conversation_id = say_cut(wired, openai_server)
    goes_on = threading.Event()
    openai_server.script(Scripted(text=SLOW_REST.text, goes_on=goes_on))
    events = read_events(go_on(wired, conversation_id, stream=True))
    next(events)
    second = go_on(wired, conversation_id, stream=True)
    goes_on.set()
    assert (second.status_code, code_of(second)) == (409, "round_in_progress")
    list(events)
    assert go_on(wired, conversation_id).status_code == 409  # it is whole by now
    assert read_stored(wired, conversation_id)[2] == SLOW_REST.text
    assert len(openai_server.requests) == 2


def test_only_the_newest_reply_that_is_not_whole_can_be_continued(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    conversation_id = say_cut(wired, openai_server)
    openai_server.script(Scripted(status=401))
    wired.chat("More.", conversation_id=conversation_id)
    before = wired.messages(conversation_id)
    for sequence, status in ((0, 409), (1, 409), (2, 409), (3, 409), (4, 404), (5, 404)):
        assert go_on(wired, conversation_id, sequence).status_code == status
    assert "no words" in message_of(go_on(wired, conversation_id, 3))
    wired.client.post(f"/chat/{conversation_id}/3/retry", json={})
    assert "whole" in message_of(go_on(wired, conversation_id, 3))
    assert go_on(wired, NOBODYS).status_code == 404
    assert go_on(wired, conversation_id, 3, strem=True).status_code == 400
    assert wired.messages(conversation_id)[:3] == before[:3]


def test_another_ones_reply_cannot_be_continued(make_browser: Callable[..., Browser]) -> None:
    site = make_browser(auth_mode="proxy", trusted_proxies=("127.0.0.1",))
    ada, bob = ({"X-Forwarded-User": name} for name in ("ada", "bob"))
    result = site.client.post("/chat", json={"message": "Mine."}, headers=ada).get_json()
    path = f"/chat/{result['conversation_id']}/1/continue"
    assert site.client.post(path, json={}, headers=bob).status_code == 404


def test_the_stand_in_goes_on_too(browser: Browser, talk: Conversing) -> None:
    whole = browser.chat("What can you tell me about whales?").get_json()
    conversation_id = ConversationId(whole["conversation_id"])
    product = browser.context.services
    with as_owner(product) as connection:
        token = replies.open_reply(connection, conversation_id, 1, 30)
        outcome = Outcome(status="partial", content=whole["reply"][:30], finish_reason="cancelled")
        ended = replies.close_reply(connection, ReplyAttempt(conversation_id, 1, token), outcome)
    assert ended
    assert go_on(browser, conversation_id).get_json()["reply"] == whole["reply"]


def follow(browser: Browser, conversation_id: str, last_id: str) -> list[tuple[str, Any]]:
    headers = {"Last-Event-ID": last_id}
    return list(
        read_events(browser.client.get(f"/chat/{conversation_id}/1/stream", headers=headers))
    )


def joined(events: list[tuple[str, Any]]) -> str:
    return "".join(data["text"] for name, data in events if name == "delta")
