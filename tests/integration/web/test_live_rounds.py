"""Rounds while their reply is written: followed, left, stopped, and how many there may be."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

import pytest

from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.web.conftest import Browser, read_events
from tests.refusals import code_of
from tests.threads import no_threads
from tests.waiting import wait_for

SLOW = Scripted(text="one two three four five six seven eight nine ten", piece_delay_s=0.1)
LONG = Scripted(text="word " * 600, piece_delay_s=0.1)  # until it is stopped


def hold(server: FakeOpenAI, times: int = 1) -> threading.Event:
    """So many of the next replies wait after their first word for this."""
    goes_on = threading.Event()
    server.script(*[Scripted(text=SLOW.text, goes_on=goes_on)] * times)
    return goes_on


def test_a_stream_has_meta_deltas_and_done(browser: Browser) -> None:
    answer = browser.chat("Hello there", stream=True)
    events = list(read_events(answer))
    names = [name for name, _ in events]
    assert names[0] == "meta"
    assert names[-1] == "done"
    assert set(names[1:-1]) == {"delta"}
    assert events[0][1]["conversation_id"] == answer.headers["X-Conversation-Id"]
    assert "".join(data["text"] for _, data in events[1:-1]) == events[-1][1]["content"]
    assert answer.mimetype == "text/event-stream"


def test_a_second_round_at_once_is_refused_and_writes_nothing(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    goes_on = hold(openai_server)
    events = wired.stream()
    conversation_id = next(events)[1]["conversation_id"]
    answer = wired.chat("And me?", conversation_id=conversation_id)
    goes_on.set()
    assert answer.status_code == 409
    assert code_of(answer) == "round_in_progress"
    assert [name for name, _ in events][-1] == "done"
    assert len(wired.messages(conversation_id)) == 2


def test_a_round_goes_on_when_its_client_leaves_and_the_client_resumes(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    openai_server.script(SLOW)
    events = wired.stream()
    meta = next(events)[1]
    delta = next(events)[1]
    events.close()  # type: ignore[attr-defined]
    path = f"/chat/{meta['conversation_id']}/{meta['sequence']}/stream"
    rest = list(read_events(wired.client.get(path, headers={"Last-Event-ID": delta["id"]})))
    assert rest[0][1]["offset"] == len(delta["text"])
    text = delta["text"] + "".join(data["text"] for name, data in rest if name == "delta")
    assert text == SLOW.text == rest[-1][1]["content"]


def test_another_process_can_follow_through_redis(
    wired: Browser, make_browser: Callable[..., Browser], openai_server: FakeOpenAI
) -> None:
    openai_server.script(SLOW)
    other = make_browser()
    events = wired.stream()
    meta = next(events)[1]
    delta = next(events)[1]
    path = f"/chat/{meta['conversation_id']}/{meta['sequence']}/stream"
    followed = list(read_events(other.client.get(path, headers={"Last-Event-ID": delta["id"]})))
    text = delta["text"] + "".join(data["text"] for name, data in followed if name == "delta")
    assert text == SLOW.text
    assert followed[-1][0] == "done"


def test_a_finished_reply_can_be_followed_from_the_start(browser: Browser) -> None:
    body = browser.chat("Hello").get_json()
    path = f"/chat/{body['conversation_id']}/1/stream"
    events = list(read_events(browser.client.get(path)))
    assert [name for name, _ in events] == ["meta", "delta", "done"]
    assert events[1][1]["text"] == body["reply"]


@pytest.mark.parametrize("elsewhere", [False, True])
def test_stop_keeps_what_was_written(
    wired: Browser,
    make_browser: Callable[..., Browser],
    openai_server: FakeOpenAI,
    elsewhere: bool,
) -> None:
    openai_server.script(LONG)
    stopper = make_browser() if elsewhere else wired
    events = wired.stream()
    meta = next(events)[1]
    next(events)
    place = f"/chat/{meta['conversation_id']}/{meta['sequence']}"
    assert stopper.client.post(f"{place}/stop", json={}).status_code == 202
    name, data = list(events)[-1]
    assert (name, data["status"]) == ("done", "partial")
    reply = wired.messages(meta["conversation_id"])[1]
    assert reply["status"] == "partial"
    assert LONG.text.startswith(reply["content"])
    assert 0 < len(reply["content"]) < len(LONG.text)
    assert stopper.client.post(f"{place}/stop", json={}).status_code == 409


def test_a_stream_that_breaks_keeps_its_part_and_says_so(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    openai_server.script(Scripted(text="one two three four", reset_after=2))
    events = list(wired.stream())
    name, data = events[-1]
    assert (name, data["status"], data["content"]) == ("error", "partial", "one two ")
    assert wired.messages(events[0][1]["conversation_id"])[1]["content"] == "one two "


def test_with_no_place_left_a_round_is_refused_before_anything_is_written(
    make_browser: Callable[..., Browser], openai_server: FakeOpenAI
) -> None:
    small = make_browser(
        llm_model="fake-model",
        llm_api_base=openai_server.base_url,
        llm_api_key="k",
        max_live_rounds=1,
    )
    goes_on = hold(openai_server)
    events = small.stream()
    next(events)
    refused = small.chat("Me too")
    goes_on.set()
    assert refused.status_code == 503
    assert refused.headers["Retry-After"]
    list(events)
    assert len(small.get("/api/v1/conversations")["conversations"]) == 1
    assert small.chat("Now?").status_code == 200


def test_one_user_with_many_conversations_leaves_places_to_others(
    make_browser: Callable[..., Browser], openai_server: FakeOpenAI
) -> None:
    shared = make_browser(
        llm_model="fake-model",
        llm_api_base=openai_server.base_url,
        llm_api_key="k",
        auth_mode="proxy",
        trusted_proxies=("127.0.0.1/32",),
        max_live_rounds=8,
    )
    most = shared.context.services.settings.max_live_rounds_per_user
    post = partial(shared.client.post, "/chat")
    goes_on = hold(openai_server, times=most)
    ann = {"X-Forwarded-User": "ann"}
    streams = [
        read_events(post(json={"message": "Hello", "stream": True}, headers=ann))
        for _ in range(most)
    ]
    for events in streams:
        next(events)
    wait_for(lambda: len(openai_server.requests) >= most)  # hers are the replies that wait
    refused = post(json={"message": "And this"}, headers=ann)
    assert refused.status_code == 429
    assert refused.headers["Retry-After"] == "3"
    assert code_of(refused) == "too_many_rounds"
    other = post(json={"message": "Hello"}, headers={"X-Forwarded-User": "ben"})
    assert other.status_code == 200
    goes_on.set()
    for events in streams:
        list(events)
    assert post(json={"message": "Now?"}, headers=ann).status_code == 200


def test_a_round_that_gets_no_thread_is_refused_and_releases_its_slot(
    browser: Browser,
) -> None:
    for _ in range(browser.context.services.settings.max_live_rounds_per_user + 1):
        with no_threads():
            answer = browser.chat("Is anybody there?")
        assert (answer.status_code, code_of(answer)) == (503, "busy")
    assert browser.chat("And now?").status_code == 200
