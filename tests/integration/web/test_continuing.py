"""`POST /chat/{id}/{sequence}/continue`: a reply that was cut goes on in its own message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from werkzeug.test import TestResponse

from shared.ephemeral.reply_log import ReplyLog
from shared.maintenance.sweep import sweep
from shared.maintenance.verify import find_breaches
from shared.models import ConversationId, Outcome, ReplyAttempt
from shared.rounds.opening import open_round
from shared.rounds.requests import Continuation
from shared.store import replies
from tests.embedding import embed_pending
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.conversing import Conversing
from tests.integration.web.conftest import Browser, read_events
from tests.integration.web.rows import rows
from tests.integration.worker import WORK, expire_leases, list_jobs, work_off
from web.identity import LOCAL_USER

NOBODYS = "00000000-0000-0000-0000-000000000000"
CUT = Scripted(text="One two three four five six", finish_reason="length")
REST = Scripted(text="three four five six seven eight.")  # as asked, it repeats the last words
WHOLE = "One two three four five six seven eight."
SLOW_REST = Scripted(
    text=f"{CUT.text} seven eight nine ten eleven twelve thirteen", piece_delay_s=0.05
)


def go_on(browser: Browser, own: str, sequence: int = 1, **fields: object) -> TestResponse:
    return browser.client.post(f"/chat/{own}/{sequence}/continue", json=fields)


def say_cut(browser: Browser, server: FakeOpenAI, *before: str) -> str:
    """A conversation whose newest reply was cut."""
    own: str | None = None
    for text in before:
        own = browser.chat(text, **({"conversation_id": own} if own else {})).get_json()[
            "conversation_id"
        ]
    server.script(CUT)
    answer = browser.chat("Count.", **({"conversation_id": own} if own else {}))
    assert answer.status_code == 200
    return str(answer.get_json()["conversation_id"])


def kept(browser: Browser, own: str, sequence: int = 1) -> tuple[str, str, str]:
    message = browser.messages(own)[sequence]
    return message["status"], message["finish_reason"], message["content"]


@pytest.mark.parametrize("reason", ["length", "content_filter"])
def test_a_reply_that_the_model_cut_says_so_everywhere(
    wired: Browser, openai_server: FakeOpenAI, reason: str
) -> None:
    cut = Scripted(text=CUT.text, finish_reason=reason)
    openai_server.script(cut, cut)
    body = wired.chat("Count.").get_json()
    assert (body["status"], body["finish_reason"], body["reply"]) == ("partial", reason, CUT.text)
    name, done = list(wired.stream("Count."))[-1]
    assert (name, done["status"], done["finish_reason"]) == ("done", "partial", reason)
    assert kept(wired, body["conversation_id"]) == ("partial", reason, CUT.text)


def test_a_whole_reply_says_so_too(wired: Browser) -> None:
    body = wired.chat("Hello").get_json()
    assert (body["status"], body["finish_reason"]) == ("complete", "stop")
    assert kept(wired, body["conversation_id"])[1] == "stop"


@pytest.mark.parametrize(("limit", "sent"), [(None, None), (50, 50)])
def test_a_replys_length_is_the_models_own_unless_a_setting_limits_it(
    make_browser: Callable[..., Browser],
    openai_server: FakeOpenAI,
    limit: int | None,
    sent: int | None,
) -> None:
    site = make_browser(
        llm_model="m",
        llm_api_base=openai_server.base_url,
        llm_max_tokens=limit,
    )
    site.chat("Hello")
    assert openai_server.requests[0].body.get("max_tokens") == sent


def test_it_goes_on_in_the_same_message(wired: Browser, openai_server: FakeOpenAI) -> None:
    own = say_cut(wired, openai_server)
    before = wired.messages(own)
    openai_server.script(REST)
    answer = go_on(wired, own)
    assert answer.status_code == 200
    body = answer.get_json()
    assert (body["reply"], body["sequence"]) == (WHOLE, 1)
    assert (body["status"], body["finish_reason"]) == ("complete", "stop")
    after = wired.messages(own)
    assert [m["sequence_number"] for m in after] == [0, 1]
    assert (after[0], after[1]["created_at"]) == (before[0], before[1]["created_at"])
    assert kept(wired, own) == ("complete", "stop", WHOLE)


def test_the_model_gets_the_prompt_and_the_text_so_far(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    own = say_cut(wired, openai_server, "My name is Ada.")
    first = openai_server.requests[-1].body["messages"]
    go_on(wired, own, 3)
    again = openai_server.requests[-1].body["messages"]
    assert [m["role"] for m in again] == [*(m["role"] for m in first), "assistant", "user"]
    assert again[1 : len(first)] == first[1:]
    assert again[-2]["content"] == CUT.text
    assert CUT.text in again[-1]["content"]


def test_what_is_cut_again_can_be_continued_again(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    own = say_cut(wired, openai_server)
    openai_server.script(
        Scripted(text=f"{CUT.text} seven eight", finish_reason="length"),
        Scripted(text="six seven eight nine."),
    )
    assert go_on(wired, own).get_json()["finish_reason"] == "length"
    assert go_on(wired, own).get_json()["reply"] == f"{CUT.text} seven eight nine."


def test_the_stream_of_a_continuation_can_be_resumed_here_and_elsewhere(
    wired: Browser, make_browser: Callable[..., Browser], openai_server: FakeOpenAI
) -> None:
    own = say_cut(wired, openai_server)
    old = read_events(wired.client.get(f"/chat/{own}/1/stream"))
    old_id = list(old)[-1][1]["id"]
    openai_server.script(SLOW_REST)
    events = read_events(go_on(wired, own, stream=True))
    meta = next(events)[1]
    old_text, seen = next(events)[1]["text"], next(events)[1]
    events.close()  # type: ignore[attr-defined]
    assert meta["offset"] == 0
    assert old_text == CUT.text
    text = old_text + seen["text"]
    for site in (wired, make_browser()):
        rest = follow(site, own, seen["id"])
        assert rest[0][1]["offset"] == len(text)
        assert text + joined(rest) == SLOW_REST.text == rest[-1][1]["content"]
        again = follow(site, own, old_id)  # of the shorter text: another try, so from its start
        assert (again[0][1]["offset"], joined(again)) == (0, SLOW_REST.text)


def test_stopping_a_continuation_keeps_what_was_there_and_what_came(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    own = say_cut(wired, openai_server)
    openai_server.script(SLOW_REST)
    events = read_events(go_on(wired, own, stream=True))
    assert [next(events)[0] for _ in range(3)] == ["meta", "delta", "delta"]
    assert wired.client.post(f"/chat/{own}/1/stop", json={}).status_code == 202
    name, done = list(events)[-1]
    assert (name, done["status"], done["finish_reason"]) == ("done", "partial", "cancelled")
    assert CUT.text in done["content"]
    assert len(CUT.text) < len(done["content"]) < len(SLOW_REST.text)
    assert kept(wired, own)[2] == done["content"]
    openai_server.script(SLOW_REST)
    assert go_on(wired, own).get_json()["reply"] == SLOW_REST.text


@pytest.mark.parametrize(
    "fault",
    [
        Scripted(status=500),
        Scripted(status=401),
        Scripted(text=""),
        Scripted(text=CUT.text, reset_after=3),
        Scripted(delay_s=8),
    ],
    ids=["500", "401", "empty", "reset while it repeats", "silent"],
)
def test_a_continuation_that_fails_leaves_what_was_there(
    wired: Browser, openai_server: FakeOpenAI, fault: Scripted
) -> None:
    own = say_cut(wired, openai_server)
    remembered = wired.messages(own)[1]["remembered"]
    openai_server.script(fault)
    refused = go_on(wired, own)
    assert refused.status_code >= 500
    assert refused.get_json()["reply"] == CUT.text
    assert kept(wired, own) == ("partial", "error", CUT.text)
    assert wired.messages(own)[1]["remembered"] == remembered
    openai_server.script(REST)
    assert go_on(wired, own).get_json()["reply"] == WHOLE


@pytest.mark.parametrize("has_written", [False, True])
def test_a_process_that_dies_while_it_continues_leaves_what_was_there(
    wired: Browser, openai_server: FakeOpenAI, has_written: bool
) -> None:
    product = wired.context.services
    own = ConversationId(say_cut(wired, openai_server))
    with product.database.transaction() as connection:
        asked = Continuation(user_id=LOCAL_USER, conversation_id=own, sequence=1)
        opened = open_round(connection, asked, product.settings)
    text = f"{CUT.text} seven" if has_written else CUT.text
    if has_written:
        ReplyLog(product.redis, opened.attempt).catch_up(text)
    expire_leases(product)
    sweep(product)
    assert kept(wired, own) == ("partial", "error", text)
    openai_server.script(REST)
    assert go_on(wired, own).get_json()["status"] == "complete"


def test_what_was_made_of_the_shorter_text_is_made_again(
    make_browser: Callable[..., Browser], openai_server: FakeOpenAI
) -> None:
    site = make_browser(
        llm_model="m",
        llm_api_base=openai_server.base_url,
        memory_model="offline/extractive",
        llm_tries=1,
    )
    product = site.context.services
    own = say_cut(site, openai_server, "My name is Ada.", "I live in Oslo.")
    work_off(product)
    embed_pending(product)
    assert [row["end_sequence"] for row in completed(site)] == [5]
    openai_server.script(Scripted(text=f"{CUT.text} Albatross."))
    go_on(site, own, 5)
    assert completed(site) == []
    for due in list_jobs(product, "processing"):
        WORK[due.kind](product, due.job_id)
    assert [row["end_sequence"] for row in completed(site)] == [5]
    assert site.get("/api/search?q=Albatross")["messages"]
    assert rows(site, "SELECT 1 FROM unembedded_messages WHERE sequence_number = 5")
    work_off(product)
    assert find_breaches(product.database, product.settings, quiet=True) == []


def test_clicking_twice_is_one_continuation(wired: Browser, openai_server: FakeOpenAI) -> None:
    own = say_cut(wired, openai_server)
    openai_server.script(SLOW_REST)
    events = read_events(go_on(wired, own, stream=True))
    next(events)
    second = go_on(wired, own, stream=True)
    assert (second.status_code, second.get_json()["error"]["code"]) == (409, "round_in_progress")
    list(events)
    assert go_on(wired, own).status_code == 409  # it is whole by now
    assert kept(wired, own)[2] == SLOW_REST.text
    assert len(openai_server.requests) == 2


def test_only_the_newest_reply_that_is_not_whole_can_be_continued(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    own = say_cut(wired, openai_server)
    openai_server.script(Scripted(status=401))
    wired.chat("More.", conversation_id=own)
    before = wired.messages(own)
    for sequence, status in ((0, 409), (1, 409), (2, 409), (3, 409), (4, 404), (5, 404)):
        assert go_on(wired, own, sequence).status_code == status
    assert "no words" in go_on(wired, own, 3).get_json()["error"]["message"]
    wired.client.post(f"/chat/{own}/3/retry", json={})
    assert "whole" in go_on(wired, own, 3).get_json()["error"]["message"]
    assert go_on(wired, NOBODYS).status_code == 404
    assert go_on(wired, own, 3, strem=True).status_code == 400
    assert wired.messages(own)[:3] == before[:3]


def test_another_ones_reply_cannot_be_continued(make_browser: Callable[..., Browser]) -> None:
    site = make_browser(auth_mode="proxy", trusted_proxies=("127.0.0.1",))
    ada, bob = ({"X-Forwarded-User": name} for name in ("ada", "bob"))
    own = site.client.post("/chat", json={"message": "Mine."}, headers=ada).get_json()
    path = f"/chat/{own['conversation_id']}/1/continue"
    assert site.client.post(path, json={}, headers=bob).status_code == 404


def test_the_stand_in_goes_on_too(browser: Browser, talk: Conversing) -> None:
    whole = browser.chat("What can you tell me about whales?").get_json()
    own = ConversationId(whole["conversation_id"])
    product = browser.context.services
    with product.database.transaction() as connection:
        token = replies.open_reply(connection, own, 1, 30)
        outcome = Outcome(status="partial", content=whole["reply"][:30], finish_reason="cancelled")
        ended = replies.close_reply(connection, ReplyAttempt(own, 1, token), outcome)
    assert ended
    assert go_on(browser, own).get_json()["reply"] == whole["reply"]


def test_how_a_reply_ended_is_exported_and_imported_again(
    wired: Browser, make_browser: Callable[..., Browser], openai_server: FakeOpenAI
) -> None:
    say_cut(wired, openai_server)
    exported = wired.client.get("/api/export").get_json()
    site = make_browser(auth_mode="proxy", trusted_proxies=("127.0.0.1",))
    eve = {"X-Forwarded-User": "eve"}
    sent = site.client.post("/api/import", json=exported, headers=eve)
    assert sent.status_code in {200, 201, 202}, sent.text
    listed = site.client.get("/api/conversations", headers=eve).get_json()["conversations"]
    path = f"/api/conversations/{listed[0]['conversation_id']}/messages"
    copied = site.client.get(path, headers=eve).get_json()["messages"]
    assert [(m["status"], m["finish_reason"]) for m in copied] == [
        ("complete", None),
        ("partial", "length"),
    ]


def follow(browser: Browser, own: str, last_id: str) -> list[tuple[str, Any]]:
    headers = {"Last-Event-ID": last_id}
    return list(read_events(browser.client.get(f"/chat/{own}/1/stream", headers=headers)))


def joined(events: list[tuple[str, Any]]) -> str:
    return "".join(data["text"] for name, data in events if name == "delta")


def completed(browser: Browser) -> list[Any]:
    return list(rows(browser, "SELECT end_sequence FROM memory WHERE status = 'completed'"))
