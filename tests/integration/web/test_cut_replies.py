"""What is kept of a reply that was cut: why it ended, its text, and what was derived from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from shared.derivations.kinds import do_job
from shared.ephemeral.reply_log import ReplyLog
from shared.maintenance.sweep import sweep
from shared.maintenance.verify import find_breaches
from shared.models import ConversationId
from shared.rounds.opening import open_round
from shared.rounds.requests import Continuation
from tests.embedding import embed_pending
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.web.conftest import Browser
from tests.integration.web.cut_replies import CUT, REST, WHOLE, go_on, read_stored, say_cut
from tests.integration.web.rows import rows
from tests.integration.worker import expire_leases, list_jobs, work_off
from tests.services import as_owner
from web.identity.identification import LOCAL_USER


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
    assert read_stored(wired, body["conversation_id"]) == ("partial", reason, CUT.text)


def test_a_whole_reply_says_so_too(wired: Browser) -> None:
    body = wired.chat("Hello").get_json()
    assert (body["status"], body["finish_reason"]) == ("complete", "stop")
    assert read_stored(wired, body["conversation_id"])[1] == "stop"


@pytest.mark.parametrize(("limit", "max_tokens"), [(None, None), (50, 50)])
def test_a_replys_length_is_the_models_own_unless_a_setting_limits_it(
    make_browser: Callable[..., Browser],
    openai_server: FakeOpenAI,
    limit: int | None,
    max_tokens: int | None,
) -> None:
    site = make_browser(
        llm_model="m",
        llm_api_base=openai_server.base_url,
        llm_max_tokens=limit,
    )
    site.chat("Hello")
    assert openai_server.requests[0].body.get("max_tokens") == max_tokens


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
    conversation_id = say_cut(wired, openai_server)
    remembered = wired.messages(conversation_id)[1]["remembered"]
    openai_server.script(fault)
    refused = go_on(wired, conversation_id)
    assert refused.status_code >= 500
    assert refused.get_json()["reply"] == CUT.text
    assert read_stored(wired, conversation_id) == ("partial", "error", CUT.text)
    assert wired.messages(conversation_id)[1]["remembered"] == remembered
    openai_server.script(REST)
    assert go_on(wired, conversation_id).get_json()["reply"] == WHOLE


@pytest.mark.parametrize("has_written", [False, True])
def test_a_process_that_dies_while_it_continues_leaves_what_was_there(
    wired: Browser, openai_server: FakeOpenAI, has_written: bool
) -> None:
    product = wired.context.services
    conversation_id = ConversationId(say_cut(wired, openai_server))
    with as_owner(product) as connection:
        request = Continuation(user_id=LOCAL_USER, conversation_id=conversation_id, sequence=1)
        current_round = open_round(connection, request, product.settings)
    text = f"{CUT.text} seven" if has_written else CUT.text
    if has_written:
        ReplyLog(product.redis, current_round.attempt).catch_up(text)
    expire_leases(product)
    sweep(product)
    assert read_stored(wired, conversation_id) == ("partial", "error", text)
    openai_server.script(REST)
    assert go_on(wired, conversation_id).get_json()["status"] == "complete"


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
    conversation_id = say_cut(site, openai_server, "My name is Ada.", "I live in Oslo.")
    work_off(product)
    embed_pending(product)
    assert [row["end_sequence"] for row in completed(site)] == [5]
    openai_server.script(Scripted(text=f"{CUT.text} Albatross."))
    go_on(site, conversation_id, 5)
    assert completed(site) == []
    for due in list_jobs(product, "processing"):
        do_job(product, due.kind, due.job_id)
    assert [row["end_sequence"] for row in completed(site)] == [5]
    assert site.get("/api/v1/search?q=Albatross")["messages"]
    assert rows(site, "SELECT 1 FROM unembedded_messages WHERE sequence_number = 5")
    work_off(product)
    assert find_breaches(product.database, product.settings, quiet=True) == []


def test_how_a_reply_ended_is_exported_and_imported_again(
    wired: Browser, make_browser: Callable[..., Browser], openai_server: FakeOpenAI
) -> None:
    say_cut(wired, openai_server)
    exported = wired.client.get("/api/v1/export").get_json()
    site = make_browser(auth_mode="proxy", trusted_proxies=("127.0.0.1",))
    eve = {"X-Forwarded-User": "eve"}
    answer = site.client.post("/api/v1/imports", json=exported, headers=eve)
    assert answer.status_code in {200, 201, 202}, answer.text
    listed = site.client.get("/api/v1/conversations", headers=eve).get_json()["conversations"]
    path = f"/api/v1/conversations/{listed[0]['conversation_id']}/messages"
    copied = site.client.get(path, headers=eve).get_json()["messages"]
    assert [(m["status"], m["finish_reason"]) for m in copied] == [
        ("complete", None),
        ("partial", "length"),
    ]


def completed(browser: Browser) -> list[Any]:
    return list(rows(browser, "SELECT end_sequence FROM memory WHERE status = 'completed'"))
