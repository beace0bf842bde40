"""Export over HTTP, and back."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from typing import Any

from shared.db import execute
from shared.derivations.kinds import do_job
from shared.models import ConversationId, Outcome, UserId
from tests.integration.conversing import Conversing
from tests.integration.web.conftest import Browser
from tests.integration.web.transfers import (
    PROXY,
    conversations_of,
    dialogue,
    forget_everything,
    send,
    utterance,
    whole_text_of,
)
from tests.refusals import code_of
from tests.services import as_owner
from web.process.concurrency_limits import EXPORTS_SHARE

KEPT = (
    "sequence_number", "role", "content", "status", "model", "error", "created_at", "withheld_at",
)  # fmt: skip


def list_told(browser: Browser) -> list[Any]:
    """All conversations as they read, by title, whatever their ids."""
    document = json.loads(whole_text_of(browser))
    read = [
        (
            conversation["title"] or "",
            conversation["mode"],
            conversation["created_at"],
            [[message[key] for key in KEPT] for message in conversation["messages"]],
        )
        for conversation in document["conversations"]
    ]
    return sorted(read, key=lambda entry: entry[0])


def test_an_export_holds_everything_about_the_user(browser: Browser, talk: Conversing) -> None:
    for _ in range(3):
        talk.round("I live in Lisbon.")
    do_job(browser.context.services, "summary", talk.due_of("summary")[0])
    add_memories(browser, talk.conversation_id)
    send(browser, dialogue())
    answer = browser.client.get("/api/v1/export")
    assert answer.mimetype == "application/json"
    assert answer.headers["Content-Disposition"].startswith("attachment; filename=")
    document = answer.get_json()
    assert (document["format"], document["version"]) == ("throughline-export", 1)
    assert [user["user_id"] for user in document["users"]] == ["local"]
    by_title = {entry["title"]: entry for entry in document["conversations"]}
    conversation = by_title[None]
    assert [m["content"] for m in conversation["messages"]][:2] == ["I live in Lisbon.", "Reply 1."]
    assert conversation["messages"][1]["trace"] == {}
    assert (
        conversation["summaries"][0]["end_sequence"],
        conversation["summaries"][0]["points"] != [],
    ) == (5, True)
    assert conversation["episodes"][0]["summary"] == "They spoke of Lisbon."
    assert "embedding" not in conversation["episodes"][0]
    assert [(fact["key"], fact["is_active"]) for fact in document["facts"]] == [("city", True)]
    assert document["imports"][0]["imported"] == 1
    assert document["forgotten_facts"] == []


def add_memories(browser: Browser, conversation_id: ConversationId | None) -> None:
    with as_owner(browser.context.services) as connection:
        execute(
            connection,
            """
            INSERT INTO episodic_memory (user_id, conversation_id, turn_start, turn_end, summary,
                                         status, lease_until, embedding)
            VALUES ('local', %(id)s, 0, 3, 'They spoke of Lisbon.', 'completed', now(),
                    array_fill(0.1, ARRAY[384])::vector)
            """,
            id=conversation_id,
        )
        execute(
            connection,
            """
            INSERT INTO structured_facts (user_id, category, key, value, confidence, importance,
                                          confirmed_at_turn)
            VALUES ('local', 'identity', 'city', 'Lisbon', 1, 1, 1)
            """,
        )


def test_an_export_read_back_after_deletion_gives_the_same_messages_at_the_same_times(
    browser: Browser, talk: Conversing
) -> None:
    talk.round('Quotes " and \\ and\nlines, and Ünïcode 🐦  ')
    talk.close(talk.open("Unanswered"), Outcome(status="failed", content="", error="no model"))
    talk.close(talk.open("Cut"), Outcome(status="partial", content="Half", model="m"))
    talk.round("And on.")
    send(browser, [dialogue(), dialogue(id="d-off", title="Off", mode="off")])
    before, text = list_told(browser), whole_text_of(browser)
    assert len(before) == 3
    deleted = browser.client.delete("/api/v1/me", json={"confirm": "local"})
    assert deleted.get_json()["deleted"]
    assert deleted.get_json()["counts"] == {"conversations": 3, "messages": 16, "imports": 1}
    assert list_told(browser) == []
    report = send(browser, text)
    assert report["conversations"] == {"imported": 3, "skipped": 0, "failed": 0}
    assert list_told(browser) == before


def test_what_is_not_to_be_remembered_stays_so_and_its_undo_too(
    browser: Browser, talk: Conversing
) -> None:
    talk.round("Don't remember this, but I dyed my hair turquoise.")
    before, text = list_told(browser), whole_text_of(browser)
    forget_everything(browser)
    send(browser, text)
    assert list_told(browser) == before
    assert before[0][3][0][-1] is not None
    assert browser.get("/api/v1/search?q=turquoise")["messages"] == []
    [chat] = conversations_of(browser)
    path = f"/api/v1/conversations/{chat['conversation_id']}/messages/0/withholding"
    assert browser.client.delete(path).status_code == 204
    assert len(browser.get("/api/v1/search?q=turquoise")["messages"]) == 1


def test_an_export_read_back_beside_what_it_tells_of_changes_nothing(
    browser: Browser, talk: Conversing
) -> None:
    talk.round()
    send(browser, dialogue())
    report = send(browser, whole_text_of(browser))
    assert report["conversations"] == {"imported": 0, "skipped": 2, "failed": 0}
    assert len(conversations_of(browser)) == 2


def test_a_second_journey_is_recognised_as_the_first(browser: Browser, talk: Conversing) -> None:
    talk.round()
    first = whole_text_of(browser)
    browser.client.delete("/api/v1/me", json={"confirm": "local"})
    send(browser, first)
    second = whole_text_of(browser)
    assert send(browser, first)["conversations"]["skipped"] == 1
    browser.client.delete("/api/v1/me", json={"confirm": "local"})
    send(browser, second)
    assert send(browser, first)["conversations"]["skipped"] == 1


def test_a_reply_that_is_being_written_comes_back_as_one_that_failed(
    browser: Browser, talk: Conversing
) -> None:
    talk.open("Tell me a story.")
    text = whole_text_of(browser)
    browser.client.delete("/api/v1/me", json={"confirm": "local"})
    send(browser, text)
    [listed] = conversations_of(browser)
    [question, reply] = browser.messages(listed["conversation_id"])
    assert question["content"] == "Tell me a story."
    assert (reply["status"], reply["content"]) == ("failed", "")


def test_an_export_is_as_of_one_instant(browser: Browser) -> None:
    send(
        browser,
        [dialogue(id=f"d-{n}", messages=[utterance("user", "x" * 40_000)]) for n in range(9)],
    )
    answer = browser.client.get("/api/v1/export", buffered=False)
    blocks = iter(answer.iter_encoded())
    begun = next(blocks)
    send(browser, dialogue(id="later"))
    document = json.loads(b"".join([begun, *blocks]))
    assert len(document["conversations"]) == 9
    assert len(document["imports"]) == 1  # read long after the second one was finished


def test_an_export_is_never_held_as_a_whole(browser: Browser) -> None:
    messages = [
        utterance(role, "words " * 5_000) for _ in range(150) for role in ("user", "assistant")
    ]
    send(browser, dialogue(messages=messages))
    tracemalloc.start()
    try:
        answer = browser.client.get("/api/v1/export", buffered=False)
        size = sum(len(block) for block in answer.response)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert size > 9_000_000
    assert peak < 4_500_000


def test_a_client_that_leaves_gives_its_connection_back(
    make_browser: Callable[..., Browser],
) -> None:
    browser = make_browser(db_pool_size=2)
    send(
        browser,
        [dialogue(id=f"d-{n}", messages=[utterance("user", "x" * 40_000)]) for n in range(9)],
    )
    for _ in range(2 * 4):
        answer = browser.client.get("/api/v1/export", buffered=False)
        next(iter(answer.response))
        answer.close()
    assert len(conversations_of(browser)) == 9


def test_so_many_exports_at_a_time_and_no_more(browser: Browser) -> None:
    exports = browser.context.limits.exports
    most = browser.context.services.settings.db_pool_size // EXPORTS_SHARE
    others = [UserId(f"user-{number}") for number in range(most)]
    for user in others:
        exports.acquire(user)
    answer = browser.client.get("/api/v1/export")
    assert (answer.status_code, code_of(answer)) == (503, "busy")
    assert answer.headers["Retry-After"]
    exports.release(others[0])
    assert browser.client.get("/api/v1/export").status_code == 200
    assert browser.client.get("/api/v1/export").status_code == 200


def test_one_user_leaves_exports_to_others(make_browser: Callable[..., Browser]) -> None:
    site = make_browser(**PROXY, db_pool_size=8)
    ada, bob = ({"X-Forwarded-User": name} for name in ("ada", "bob"))
    with site.context.limits.exports.slot(UserId("ada")):
        refused = site.client.get("/api/v1/export", headers=ada)
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "3")
        assert code_of(refused) == "too_many_at_once"
        assert site.client.get("/api/v1/export", headers=bob).status_code == 200
    assert site.client.get("/api/v1/export", headers=ada).status_code == 200


def test_an_export_holds_nothing_of_anyone_else(make_browser: Callable[..., Browser]) -> None:
    site = make_browser(**PROXY)
    ada, bob = ({"X-Forwarded-User": name} for name in ("ada", "bob"))
    send(site, dialogue(), **ada)
    document = json.loads(whole_text_of(site, **bob))
    assert document["users"] == document["conversations"] == document["imports"] == []


def test_an_export_tells_of_webhooks_and_tokens_without_their_secrets(browser: Browser) -> None:
    hook = {"url": "https://example.com/hook", "event_types": ["fact.learned"]}
    new_webhook = browser.client.post("/api/v1/webhooks", json=hook).get_json()
    form = {"name": "Scribe", "scopes": ["memory:read"]}
    token = browser.client.post("/api/v1/tokens", json=form).get_json()
    text = whole_text_of(browser)
    assert new_webhook["secret"] not in text
    assert token["token"] not in text
    document = json.loads(text)
    [webhook] = document["webhooks"]
    assert (webhook["url"], webhook["event_types"]) == (hook["url"], hook["event_types"])
    assert not [name for name in webhook if "secret" in name]
    assert [entry["name"] for entry in document["api_tokens"]] == ["Scribe"]
