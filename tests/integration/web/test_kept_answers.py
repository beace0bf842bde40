"""`Idempotency-Key` on what creates something: sent again, it creates nothing more."""

from __future__ import annotations

from typing import Any

from werkzeug.test import TestResponse

from shared.db import execute, fetch_rows
from shared.models import UserId
from shared.store import kept_answers
from tests.integration.web.conftest import Browser
from tests.services import as_owner

FACT = {"category": "identity", "key": "boat", "value": "Xylophagous"}
KEY = {"Idempotency-Key": "1b9d6bcd-bbfd"}


def add_fact(browser: Browser, body: dict[str, Any] | None = None, **more: str) -> TestResponse:
    return browser.client.post("/api/v1/facts", json=body or FACT, headers=KEY | more)


def count(browser: Browser, table: str) -> int:
    with browser.context.services.database.transaction(user=UserId("local")) as connection:
        return len(fetch_rows(connection, f"SELECT 1 FROM {table}"))  # noqa: S608 - ours


def test_the_same_request_gets_the_same_answer(browser: Browser) -> None:
    first, second = add_fact(browser), add_fact(browser)
    assert (first.status_code, second.status_code) == (201, 201)
    assert second.data == first.data
    assert "Idempotent-Replayed" not in first.headers
    assert second.headers["Idempotent-Replayed"] == "true"
    assert count(browser, "structured_facts") == 1


def test_another_request_under_the_same_key_is_refused(browser: Browser) -> None:
    add_fact(browser)
    answer = add_fact(browser, FACT | {"value": "Blue"})
    assert (answer.status_code, answer.get_json()["code"]) == (422, "idempotency_key_reused")
    other = browser.client.post(
        "/api/v1/tokens", json={"name": "a", "scopes": ["chat"]}, headers=KEY
    )
    assert other.status_code == 422


def test_while_the_first_is_handled_another_one_waits_outside(browser: Browser) -> None:
    add_fact(browser)
    with browser.context.services.database.transaction(user=UserId("local")) as connection:
        execute(connection, "UPDATE kept_answers SET status = NULL, request_hash = NULL")
    assert add_fact(browser).status_code == 409


def test_a_key_whose_process_died_is_free_again_later(browser: Browser) -> None:
    add_fact(browser)
    with browser.context.services.database.transaction(user=UserId("local")) as connection:
        execute(
            connection,
            "UPDATE kept_answers SET status = NULL, held_until = now() - interval '1 second'",
        )
    assert add_fact(browser).status_code == 200  # it is on record by now
    assert add_fact(browser).headers["Idempotent-Replayed"] == "true"


def test_a_request_that_failed_may_be_sent_again(browser: Browser) -> None:
    assert add_fact(browser, FACT | {"value": " "}).status_code == 400
    assert add_fact(browser).status_code == 201


def test_what_was_answered_is_forgotten_with_the_fact(browser: Browser) -> None:
    fact_id = add_fact(browser).get_json()["fact_id"]
    browser.client.delete(f"/api/v1/facts/{fact_id}")
    assert add_fact(browser).status_code == 409
    assert count(browser, "structured_facts") == 0


def test_an_answer_is_kept_in_no_readable_form(browser: Browser) -> None:
    token = browser.client.post(
        "/api/v1/tokens", json={"name": "a", "scopes": ["chat"]}, headers=KEY
    ).get_json()
    with browser.context.services.database.transaction(user=UserId("local")) as connection:
        [row] = fetch_rows(connection, "SELECT body, key_hash FROM kept_answers")
    assert token["token"].encode() not in bytes(row["body"])
    assert KEY["Idempotency-Key"].encode() not in bytes(row["key_hash"])


def test_keys_go_with_their_user_and_with_time(browser: Browser) -> None:
    add_fact(browser)
    with as_owner(browser.context.services) as connection:
        kept_answers.claim_key(connection, UserId("ada"), b"x" * 32)
        execute(
            connection,
            "UPDATE kept_answers SET created_at = now() - interval '40 days' WHERE user_id = 'ada'",
        )
        assert kept_answers.delete_answers(connection, older_than_days=30, limit=10) == 1
    browser.client.delete("/api/v1/me", json={"confirm": "local"})
    assert count(browser, "kept_answers") == 0


def test_a_file_is_imported_once(browser: Browser) -> None:
    path = "/api/v1/imports"
    past = [{"title": "Past", "messages": [{"role": "user", "content": "Hello"}]}]
    first = browser.client.post(path, json=past, headers=KEY)
    second = browser.client.post(path, json=past, headers=KEY)
    assert (first.status_code, second.status_code) == (200, 200)
    assert second.data == first.data
    assert count(browser, "imports") == 1
    assert browser.client.post(path, json=[*past, *past], headers=KEY).status_code == 422
