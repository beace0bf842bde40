"""Quotas of each user: counted in all processes, refused with the time to wait, shown."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from werkzeug.test import TestResponse

from shared.db import execute, fetch_rows
from shared.maintenance.retention import retire
from shared.models import UserId
from tests.integration.conversing import Conversing
from tests.integration.web.conftest import Browser
from tests.integration.web.identity.test_identification import PROXY
from tests.integration.web.transfers import dialogue
from tests.refusals import code_of, message_of
from tests.waiting import wait_for

DAY_S = 24 * 3600
MEASURED = """
    SELECT c.message_bytes AS counted, coalesce(sum(octet_length(m.content)), 0) AS measured
    FROM conversations c LEFT JOIN messages m USING (conversation_id) GROUP BY c.conversation_id
"""


def quotas(site: Browser, **headers: str) -> dict[str, Any]:
    return {quota["name"]: quota for quota in site.get("/api/v1/me/quotas", **headers)["quotas"]}


def say(site: Browser, **fields: object) -> TestResponse:
    answer = site.chat("Hello", **fields)
    wait_for(lambda: not site.context.runner._live)
    return answer


def assert_used_up(answer: TestResponse) -> None:
    assert (answer.status_code, code_of(answer)) == (429, "quota_used_up")
    now = datetime.now(UTC)
    left_s = DAY_S - (now.hour * 3600 + now.minute * 60 + now.second)
    assert abs(int(answer.headers["Retry-After"]) - left_s) < 60
    assert "00:00 UTC" in message_of(answer)


def rows(site: Browser, sql: Any) -> list[dict[str, Any]]:
    with site.context.services.database.transaction(user=UserId("local")) as connection:
        return [dict(row) for row in fetch_rows(connection, sql)]


def assert_bytes_are_true(site: Browser) -> None:
    measurements = rows(site, MEASURED)
    assert measurements
    assert all(row["counted"] == row["measured"] for row in measurements), measurements


def test_rounds_are_counted_in_all_processes(make_browser: Callable[..., Browser]) -> None:
    first, second = (make_browser(quota_rounds_per_day=3) for _ in range(2))
    answers = [say(site).status_code for site in (first, second, first)]
    assert answers == [200, 200, 200]
    for site in (first, second):
        assert_used_up(say(site))
    assert quotas(second)["rounds"]["used"] == 3


def test_a_refused_round_writes_nothing_and_the_next_day_brings_a_new_quota(
    make_browser: Callable[..., Browser],
) -> None:
    site = make_browser(quota_rounds_per_day=1)
    conversation_id = say(site).get_json()["conversation_id"]
    assert_used_up(say(site, conversation_id=conversation_id))
    assert len(site.messages(conversation_id)) == 2
    with site.context.services.database.transaction(user=UserId("local")) as connection:
        execute(connection, "UPDATE usage_days SET day = day - 1")
    assert say(site, conversation_id=conversation_id).status_code == 200


def test_a_message_sent_again_is_answered_without_a_quota(
    make_browser: Callable[..., Browser],
) -> None:
    site = make_browser(quota_rounds_per_day=1)
    key = {"Idempotency-Key": "once"}
    body = {"message": "Hello"}
    result = site.client.post("/chat", json=body, headers=key).get_json()
    wait_for(lambda: not site.context.runner._live)
    again = site.client.post("/chat", json=body, headers=key)
    assert (again.status_code, again.get_json()["reply"]) == (200, result["reply"])


def test_each_user_has_a_quota_of_their_own(make_browser: Callable[..., Browser]) -> None:
    site = make_browser(**PROXY, quota_rounds_per_day=1)
    for name in ("ada", "bob"):
        headers = {"X-Forwarded-User": name}
        answers = [
            site.client.post("/chat", json={"message": "Hello"}, headers=headers).status_code
            for _ in range(2)
        ]
        assert answers == [200, 429]
        assert quotas(site, **headers)["rounds"] | {"resets_at": None} == {
            "name": "rounds",
            "used": 1,
            "limit": 1,
            "resets_at": None,
        }


def test_a_user_who_deletes_everything_gets_no_new_quota(
    make_browser: Callable[..., Browser],
) -> None:
    site = make_browser(quota_rounds_per_day=1)
    assert say(site).status_code == 200
    assert site.client.delete("/api/v1/me", json={"confirm": "local"}).status_code == 200
    assert_used_up(say(site))


def test_tokens_of_replies_and_jobs_are_counted_together(
    make_browser: Callable[..., Browser], wired: Browser
) -> None:
    assert wired.chat().status_code == 200
    wait_for(lambda: not wired.context.runner._live)
    spent = quotas(wired)["tokens"]["used"]
    [total] = rows(wired, "SELECT sum(tokens_in + tokens_out)::integer AS tokens FROM token_usage")
    assert spent == total["tokens"] > 0
    limited = make_browser(quota_tokens_per_day=spent)
    assert_used_up(say(limited))
    assert say(make_browser(quota_tokens_per_day=spent + 1)).status_code == 200


def test_searches_are_counted_and_refused(make_browser: Callable[..., Browser]) -> None:
    site = make_browser(quota_searches_per_day=2)
    answers = [site.client.get("/api/v1/search?q=lisbon") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert_used_up(answers[-1])
    assert quotas(site)["searches"]["used"] == 2


def test_the_bytes_of_messages_are_known_whatever_happens_to_them(
    browser: Browser, talk: Conversing
) -> None:
    conversation_id = talk.round("Grüße aus 東京").conversation.conversation_id
    talk.round("x" * 5000)
    assert_bytes_are_true(browser)
    body = {"message": "kürzer"}
    assert browser.client.post(f"/chat/{conversation_id}/2/edit", json=body).status_code == 200
    wait_for(lambda: not browser.context.runner._live)
    assert_bytes_are_true(browser)
    path = f"/api/v1/conversations/{conversation_id}/messages/0?round=true"
    assert browser.client.delete(path).status_code == 200
    assert_bytes_are_true(browser)
    past = [dialogue()]
    assert browser.client.post("/api/v1/imports", json=past).status_code == 200
    assert_bytes_are_true(browser)
    used = quotas(browser)["storage"]["used"]
    assert used == sum(row["measured"] for row in rows(browser, MEASURED)) > 0


def test_a_full_storage_takes_no_message_and_no_import_until_something_is_deleted(
    make_browser: Callable[..., Browser],
) -> None:
    site = make_browser(quota_storage_bytes=2000)
    conversation_id = say(site).get_json()["conversation_id"]
    long = site.chat("x" * 2000, conversation_id=conversation_id)
    assert (long.status_code, code_of(long)) == (429, "quota_used_up")
    assert long.headers["Retry-After"] == "3600"  # time alone does not help: ask again seldom
    assert "Delete" in message_of(long)
    past = [{"title": "long", "messages": [{"role": "user", "content": "x" * 2000}]}]
    assert site.client.post("/api/v1/imports", json=past).status_code == 429
    assert quotas(site)["storage"]["used"] < 2000
    assert site.client.delete(f"/api/v1/conversations/{conversation_id}").status_code == 200
    assert quotas(site)["storage"]["used"] == 0
    assert say(site).status_code == 200


def most_followers(site: Browser) -> int:
    return site.context.services.settings.max_followers_per_user


def fill(site: Browser, path: str, left: int) -> list[TestResponse]:
    """Open streams until so many more may be opened."""
    return [site.client.get(path) for _ in range(most_followers(site) - left)]


def test_streams_are_counted_in_all_processes(make_browser: Callable[..., Browser]) -> None:
    first, second = (make_browser() for _ in range(2))
    conversation_id = say(first).get_json()["conversation_id"]
    path = f"/chat/{conversation_id}/1/stream"
    open_ones = [first.client.get(path), second.client.get(path), *fill(first, path, 2)]
    assert {answer.status_code for answer in open_ones} == {200}
    assert quotas(first)["followers"]["used"] == most_followers(first)
    for site in (first, second):
        refused = site.client.get(path)
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "3")
    open_ones[0].close()
    assert second.client.get(path, buffered=True).status_code == 200
    for stream in open_ones[1:]:
        stream.close()
    assert quotas(second)["followers"]["used"] == 0


def test_streams_of_a_process_that_died_are_forgotten(
    make_browser: Callable[..., Browser],
) -> None:
    site = make_browser()
    conversation_id = say(site).get_json()["conversation_id"]
    slots = site.context.services.follower_slots
    key = slots._key(UserId("local"))
    dead = {f"of a dead process {number}": 1.0 for number in range(most_followers(site))}
    site.context.services.redis.zadd(key, dead)  # leases long over
    answer = site.client.get(f"/chat/{conversation_id}/1/stream", buffered=True)
    assert answer.status_code == 200


def test_without_redis_each_process_keeps_its_own_limit_and_rounds_go_on(
    make_browser: Callable[..., Browser],
) -> None:
    site = make_browser(redis_url="redis://127.0.0.1:1/0", quota_rounds_per_day=2)
    conversation_id = say(site).get_json()["conversation_id"]
    path = f"/chat/{conversation_id}/1/stream"
    others = fill(site, path, 1)
    with_one = site.client.get(path)
    assert with_one.status_code == 200
    assert site.client.get(path).status_code == 429
    assert quotas(site)["followers"]["used"] == most_followers(site)
    for stream in (with_one, *others):
        stream.close()
    assert say(site).status_code == 200
    assert_used_up(say(site))


def test_a_redis_that_was_emptied_learns_of_open_streams_again(
    make_browser: Callable[..., Browser],
) -> None:
    site = make_browser()
    conversation_id = say(site).get_json()["conversation_id"]
    path = f"/chat/{conversation_id}/1/stream"
    others = fill(site, path, 1)
    stream = site.client.get(path)
    site.context.services.redis.flushdb()
    site.context.services.follower_slots.renew()
    other = make_browser()
    assert other.client.get(path).status_code == 429
    for each in (stream, *others):
        each.close()
    assert other.client.get(path, buffered=True).status_code == 200


def test_former_days_are_forgotten(browser: Browser) -> None:
    assert say(browser).status_code == 200
    with browser.context.services.database.transaction(user=UserId("local")) as connection:
        execute(connection, "UPDATE usage_days SET day = day - 3")
    assert say(browser).status_code == 200
    retire(browser.context.services)
    assert len(rows(browser, "SELECT * FROM usage_days")) == 1
