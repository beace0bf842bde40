"""Deletion over HTTP: of a conversation, of an episode, of everything about the user."""

from __future__ import annotations

import functools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest

from shared.db import execute
from shared.ephemeral.reply_log import ReplyLog
from shared.errors import ConflictError
from shared.models import ConversationId, Outcome, ReplyAttempt, UserId
from shared.store import conversations, episodes, imports, replies, users
from shared.store.upkeep import erasure
from shared.user_data.imports.alternation import alternate
from shared.user_data.imports.conversation_reader import read_conversation
from shared.user_data.imports.target import Target
from shared.user_data.imports.writer import write_conversation
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.conversing import Conversing
from tests.integration.locks import wait_for_blocked_statement
from tests.integration.web.conftest import Browser, attempt_of
from tests.integration.web.rows import add_episode, rows
from tests.integration.web.transfers import PROXY, conversations_of, dialogue, export_of, send
from tests.services import as_owner
from tests.waiting import wait_for

LONG = Scripted(text="word " * 300, piece_delay_s=0.2)  # until it is stopped
MARK = "Xylophagous"
DELETION = "%FOR NO KEY UPDATE%"


def add_fact(browser: Browser, conversation_id: str) -> None:
    with as_owner(browser.context.services) as connection:
        execute(
            connection,
            """
            INSERT INTO structured_facts (user_id, category, key, value, confidence, importance,
                                          confirmed_at_turn, source_conversation_id)
            VALUES ('local', 'identity', 'city', 'Lisbon', 1, 1, 1, %(id)s)
            """,
            id=conversation_id,
        )


def test_a_deleted_conversation_is_gone_from_both_stores_and_its_facts_stay(
    browser: Browser,
) -> None:
    conversation_id = ConversationId(
        browser.chat("I live in Lisbon.").get_json()["conversation_id"]
    )
    other = browser.chat("Another").get_json()["conversation_id"]
    services = browser.context.services
    wait_for(lambda: services.short_term.list_turns(conversation_id))
    add_fact(browser, conversation_id)
    assert services.redis.keys(f"*{conversation_id}*")
    answer = browser.client.delete(f"/api/v1/conversations/{conversation_id}")
    assert answer.status_code == 200
    assert answer.get_json() == {
        "deleted": True,
        "dry_run": False,
        "counts": {"conversations": 1, "messages": 2},
        "replies_left": 0,
    }
    assert (
        browser.client.get(f"/api/v1/conversations/{conversation_id}/messages").status_code == 404
    )
    assert services.redis.keys(f"*{conversation_id}*") == [f"erased:{conversation_id}"]
    assert set(services.redis.hgetall(f"erased:{conversation_id}")) == {"*"}
    assert [chat["conversation_id"] for chat in conversations_of(browser)] == [other]
    facts = rows(browser, "SELECT source_conversation_id, is_active FROM structured_facts")
    assert facts == [{"source_conversation_id": None, "is_active": True}]
    assert browser.client.delete(f"/api/v1/conversations/{conversation_id}").status_code == 404


def test_a_round_that_is_open_in_a_deleted_conversation_ends_without_harm(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    openai_server.script(LONG)
    events = wired.stream("Tell me a story.")
    attempt = attempt_of(wired, next(events)[1])
    conversation_id = attempt.conversation_id
    next(events)
    assert wired.client.delete(f"/api/v1/conversations/{conversation_id}").status_code == 200
    names = [name for name, _ in events]
    assert names[-1] in {"done", "error"}
    assert names.count("delta") < len(LONG.text.split())  # it was stopped, not only ignored
    runner = wired.context.runner
    wait_for(lambda: runner.find_live(attempt) is None)
    assert rows(wired, "SELECT 1 FROM messages") == []
    assert wired.context.services.short_term.list_turns(conversation_id) == []
    openai_server.script(Scripted(text="Hello again."))
    assert wired.chat("Hello").get_json()["reply"] == "Hello again."


def test_an_open_round_of_another_process_is_asked_to_stop(
    browser: Browser, talk: Conversing
) -> None:
    open_round = talk.open("Tell me a story.")
    conversation_id = open_round.conversation.conversation_id
    log = ReplyLog(browser.context.services.redis, open_round.attempt)
    log.catch_up("Once")
    browser.client.delete(f"/api/v1/conversations/{conversation_id}")
    assert log.stop_asked()
    assert log.whole_text() == ""
    assert talk.close(open_round) is None


def test_a_deletion_waits_for_a_closing_round(browser: Browser, talk: Conversing) -> None:
    open_round = talk.open()
    conversation_id = open_round.conversation.conversation_id
    outcome = Outcome(status="complete", content="Done.")
    services = browser.context.services
    with ThreadPoolExecutor(1) as threads:
        with services.database.transaction(user=talk.user_id) as closing:
            replies.close_reply(closing, open_round.attempt, outcome)
            deletion = threads.submit(
                browser.client.delete, f"/api/v1/conversations/{conversation_id}"
            )
            wait_for_blocked_statement(services.settings.database_url, DELETION)
            conversations.advance(closing, conversation_id, open_round.sequence)
        assert deletion.result().status_code == 200
    assert conversations_of(browser) == []


def test_deleting_me_leaves_nothing_in_any_table(browser: Browser, talk: Conversing) -> None:
    for _ in range(3):
        talk.round()
    assert talk.conversation_id is not None
    add_fact(browser, talk.conversation_id)
    add_episode(browser, talk, 0, 3)
    send(browser, dialogue())
    browser.chat("Hello")
    bob = Conversing(browser.context.services, user_id=UserId("bob"))
    bob.round()
    answer = browser.client.delete("/api/v1/me", json={"confirm": "local"})
    report = answer.get_json()
    assert (report["deleted"], report["conversations"]) == (True, 3)
    assert report["counts"]["episodes"] == report["counts"]["facts"] == 1
    assert rows(browser, "SELECT user_id FROM users") == [{"user_id": "bob"}]
    audit_rows = rows(browser, "SELECT action FROM audit_events WHERE user_id = 'local'")
    assert audit_rows == [{"action": "user.delete"}]
    for table in set(tables_with_a_user(browser)) - {"audit_events", "usage_days"}:
        assert {row["user_id"] for row in everything_in(browser, table)} <= {"bob"}, table
    remaining_rows = rows(browser, "SELECT DISTINCT conversation_id::text AS id FROM messages")
    assert remaining_rows == [{"id": bob.conversation_id}]
    assert browser.context.services.redis.keys("stm:*-*") == []
    assert browser.chat("Hello again").status_code == 200


def tables_with_a_user(browser: Browser) -> list[str]:
    columns = rows(
        browser,
        """
        SELECT table_name FROM information_schema.columns JOIN information_schema.tables
            USING (table_schema, table_name)
        WHERE table_schema = 'public' AND column_name = 'user_id' AND table_type = 'BASE TABLE'
        """,
    )
    names = [row["table_name"] for row in columns]
    assert len(names) >= 6
    return names


def everything_in(browser: Browser, table: str) -> Any:
    return rows(browser, f'SELECT user_id FROM "{table}"')  # noqa: S608 - a name of our own


@pytest.mark.parametrize(
    ("body", "status"),
    [({}, 400), ({"confirm": None}, 400), ({"confirm": "LOCAL"}, 403), ({"confirm": "bob"}, 403)],
)
def test_deleting_me_asks_for_ones_own_id(
    browser: Browser, body: dict[str, object], status: int
) -> None:
    browser.chat("Hello")
    assert browser.client.delete("/api/v1/me", json=body).status_code == status
    assert len(conversations_of(browser)) == 1


def test_a_deletion_with_redis_down_still_deletes(make_browser: Callable[..., Browser]) -> None:
    browser = make_browser(redis_url="redis://127.0.0.1:1/0")
    conversation_id = browser.chat("Hello").get_json()["conversation_id"]
    assert browser.client.delete(f"/api/v1/conversations/{conversation_id}").status_code == 200
    assert conversations_of(browser) == []


def test_a_deleted_episode_leaves_no_text_and_no_gap(browser: Browser, talk: Conversing) -> None:
    talk.round()
    first, second = add_episode(browser, talk, 0, 9), add_episode(browser, talk, 10, 19)
    assert browser.client.delete(f"/api/v1/episodes/{second}").status_code == 200
    assert [episode["id"] for episode in browser.get("/api/v1/episodes")["episodes"]] == [first]
    [row] = rows(browser, "SELECT * FROM episodic_memory WHERE id = %(id)s", id=second)
    assert (row["summary"], row["key_concepts"], row["embedding"]) == (None, [], None)
    assert browser.get("/api/v1/search?q=Lisbon")["episodes"][0]["id"] == first
    with as_owner(browser.context.services) as connection:
        assert talk.conversation_id is not None
        assert episodes.find_pending(connection, talk.conversation_id) == (20, None)
    assert browser.client.delete(f"/api/v1/episodes/{second}").status_code == 404
    path = f"/api/v1/conversations/{talk.conversation_id}/jobs"
    assert {job["state"] for job in browser.get(path)["jobs"] if job["kind"] == "episode"} == {
        "completed"
    }


def is_over(browser: Browser, attempt: ReplyAttempt) -> bool:
    return browser.context.runner.find_live(attempt) is None


def test_what_is_anothers_is_not_there(make_browser: Callable[..., Browser]) -> None:
    site = make_browser(**PROXY)
    ada = Conversing(site.context.services, user_id=UserId("ada"))
    ada.round("A secret")
    episode = add_episode(site, ada, 0, 1)
    bob = {"X-Forwarded-User": "bob"}
    path = f"/api/v1/conversations/{ada.conversation_id}"
    refused = [
        site.client.delete(path, headers=bob),
        site.client.patch(path, json={"title": "Mine"}, headers=bob),
        site.client.get(f"{path}/messages/1/trace", headers=bob),
        site.client.delete(f"/api/v1/episodes/{episode}", headers=bob),
    ]
    assert [answer.status_code for answer in refused] == [404] * 4
    assert site.get("/api/v1/episodes", **bob)["episodes"] == []
    assert site.client.delete("/api/v1/me", json={"confirm": "ada"}, headers=bob).status_code == 403
    site.client.delete("/api/v1/me", json={"confirm": "bob"}, headers=bob)
    assert len(conversations_of(site, **{"X-Forwarded-User": "ada"})) == 1
    assert len(site.get("/api/v1/episodes", **{"X-Forwarded-User": "ada"})["episodes"]) == 1


def test_no_text_of_a_reply_in_flight_comes_back_whenever_all_is_deleted(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    """The deletion meets the reply after none, one, two … of its pieces."""
    redis = wired.context.services.redis
    for count in range(24):
        pieces = " ".join(f"{MARK}{number}" for number in range(900))
        openai_server.script(Scripted(text=pieces, piece_delay_s=0.01))
        events = wired.stream(f"Tell me of {MARK}.")
        attempt = attempt_of(wired, next(events)[1])
        for _ in range(count % 6):
            next(events)
        assert wired.client.delete("/api/v1/me", json={"confirm": "local"}).status_code == 200
        list(events)
        wait_for(functools.partial(is_over, wired, attempt))
        wait_for(lambda: not wired.context.runner._threads)
        assert redis.keys("reply:*") == redis.keys("stm:*") == [], count


def test_a_dry_run_tells_what_goes_and_takes_nothing(browser: Browser, talk: Conversing) -> None:
    for _ in range(3):
        talk.round()
    add_fact(browser, str(talk.conversation_id))
    episode = add_episode(browser, talk, 0, 3)
    path = f"/api/v1/conversations/{talk.conversation_id}"
    for method_path, body in (
        (f"/api/v1/episodes/{episode}", None), (path, None), ("/api/v1/me", {"confirm": "local"}),
    ):  # fmt: skip
        before = export_of(browser)
        preview = browser.client.delete(f"{method_path}?dry_run=true", json=body).get_json()
        assert (preview["deleted"], preview["dry_run"]) == (False, True)
        assert export_of(browser) == before
        done = browser.client.delete(method_path, json=body).get_json()
        assert done["counts"] == preview["counts"] != {}
    assert browser.client.delete(f"{path}?dry_run=yes").status_code == 400


def test_an_import_that_held_after_the_deletion_brings_nothing_back(
    browser: Browser, talk: Conversing
) -> None:
    """Also when the user has said something since, and is there again."""
    services, user = browser.context.services, UserId("local")
    with as_owner(services) as connection:
        users.ensure_user(connection, user)
        target = Target(user_id=user, import_id=imports.start_import(connection, user))
    past = read_conversation({"title": MARK, "messages": [{"role": "user", "content": MARK}]})
    rounds = alternate(past, datetime.now(UTC))
    browser.client.delete("/api/v1/me", json={"confirm": "local"})
    talk.round("Hello again")
    with pytest.raises(ConflictError), as_owner(services) as connection:
        write_conversation(connection, target, past, rounds, services.settings)
    assert len(rows(browser, "SELECT 1 FROM conversations")) == 1


def test_a_fact_that_meets_the_deletion_waits_for_it_and_is_new(browser: Browser) -> None:
    browser.chat("Hello")
    services = browser.context.services
    body = {"category": "identity", "key": "name", "value": "Ada"}
    with ThreadPoolExecutor(1) as threads:
        with services.database.transaction(user=UserId("local")) as deleting:
            erasure.lock_user_for_deletion(deleting, UserId("local"))
            stating = threads.submit(browser.client.post, "/api/v1/facts", json=body)
            wait_for_blocked_statement(services.settings.database_url)
            erasure.delete_user(deleting, UserId("local"))
        assert stating.result().status_code == 201
