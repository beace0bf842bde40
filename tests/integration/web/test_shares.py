"""Chats shared by a link: what it shows, to whom, how long, and what it keeps to itself."""

from __future__ import annotations

import json
from typing import Any

import pytest
from werkzeug.test import TestResponse

from shared.access.shares import MAX_SHARES
from shared.db import execute, fetch_rows
from shared.maintenance.retention import retire
from shared.models import Outcome
from tests.integration.conversing import Conversing
from tests.integration.web.conftest import Browser, MakeBrowser
from tests.integration.web.identity.test_identification import PROXY
from tests.integration.web.transfers import dialogue, send
from tests.services import as_owner

pytestmark = pytest.mark.newcomers

ADA, BOB = ({"X-Forwarded-User": name} for name in ("ada", "bob"))
NOWHERE = "/s/" + "A" * 43
LOCAL_TOKEN = "correct-horse-battery"  # noqa: S105 - of a site of this test


def share(browser: Browser, conversation_id: object, **fields: object) -> Any:
    path = f"/api/v1/conversations/{conversation_id}/shares"
    answer = browser.client.post(path, json=fields)
    assert answer.status_code == 201, answer.text
    return answer.get_json()


def read(browser: Browser, path: str, **more: Any) -> str:
    answer = browser.client.get(path, **more)
    assert answer.status_code == 200, answer.text
    return answer.text


def is_nowhere(browser: Browser, path: str) -> bool:
    """Whether the answer is, to the last byte and header, that for a link that never was."""
    answers = [browser.client.get(address) for address in (path, NOWHERE)]
    [page, other] = [(answer.status_code, answer.data, page_texts(answer)) for answer in answers]
    return page == other and page[0] == 404


def page_texts(answer: TestResponse) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name != "X-Request-Id"}


def test_a_link_shows_the_title_and_what_was_said_until_it_was_made(
    browser: Browser, talk: Conversing
) -> None:
    talk.round("What is <b>this</b>?")
    link = share(browser, talk.conversation_id)
    talk.round("And a secret?")
    page = read(browser, link["path"])
    assert "What is &lt;b&gt;this&lt;/b&gt;?" in page
    assert "Reply 1." in page
    assert "secret" not in page
    assert "Reply 2." not in page
    browser.client.patch(f"/api/v1/conversations/{talk.conversation_id}", json={"title": "On <i>"})
    assert '<h1 dir="auto">On &lt;i&gt;</h1>' in read(browser, link["path"])


def test_neither_the_sites_token_nor_a_cookie_is_asked_for(
    make_shared_browser: MakeBrowser,
) -> None:
    site = make_shared_browser(local_token=LOCAL_TOKEN)
    headers = {"Authorization": f"Bearer {LOCAL_TOKEN}"}
    chat = site.client.post("/chat", json={"message": "Hello"}, headers=headers).get_json()
    path = f"/api/v1/conversations/{chat['conversation_id']}/shares"
    assert site.client.post(path, json={}).status_code == 401
    link = site.client.post(path, json={}, headers=headers).get_json()
    answer = site.client.get(link["path"], headers={"Cookie": "throughline=forged"})
    assert (answer.status_code, answer.headers.get("Set-Cookie")) == (200, None)
    assert "Hello" in answer.text


def test_the_page_tells_nothing_else(browser: Browser, talk: Conversing) -> None:
    browser.client.post(
        "/api/v1/facts", json={"category": "identity", "key": "name", "value": "Xylophagous"}
    )
    talk.round("Who am I?")
    link = share(browser, talk.conversation_id)
    answer = browser.client.get(link["path"])
    ids = (browser.user_id, str(talk.conversation_id))
    for secret in ("Xylophagous", *ids, "<script", "2026-", "model"):
        assert secret not in answer.text.replace(link["created_at"][:10], "")


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
def test_a_link_can_only_be_read(browser: Browser, talk: Conversing, method: str) -> None:
    talk.round("A secret")
    link = share(browser, talk.conversation_id)
    answer = browser.client.open(link["path"], method=method)
    assert answer.status_code in ({200} if method == "OPTIONS" else {405})
    assert "secret" not in answer.text
    head = browser.client.head(link["path"])
    assert (head.status_code, head.data) == (200, b"")


@pytest.mark.parametrize(
    "token", ["A" * 43, "A" * 42, "A" * 44, "", "..", "%00", "ä" * 43, "A" * 4000, "'; --", "1"]
)
def test_what_is_no_link_leads_nowhere(browser: Browser, token: str) -> None:
    answer = browser.client.get(f"/s/{token}")
    assert answer.status_code == 404


def test_the_token_is_nowhere_in_the_database(browser: Browser, talk: Conversing) -> None:
    talk.round()
    token = share(browser, talk.conversation_id)["path"].removeprefix("/s/")
    assert len(token) == 43
    with as_owner(browser.context.services) as connection:
        for table in ("shares", "audit_events", "events"):
            rows = fetch_rows(connection, f"SELECT t::text AS row FROM {table} t")  # noqa: S608
            assert token not in str(rows)
    assert token not in json.dumps(browser.get("/api/v1/shares"))
    exported = browser.client.get("/api/v1/export").get_json()
    assert token not in json.dumps(exported)
    [link] = exported["shares"]
    assert (link["conversation_id"], link["until_sequence"]) == (talk.conversation_id, 1)


def test_a_revoked_link_leads_nowhere(browser: Browser, talk: Conversing) -> None:
    talk.round()
    link, other = (share(browser, talk.conversation_id) for _ in range(2))
    listed = browser.get("/api/v1/shares")["shares"]
    assert [entry["share_id"] for entry in listed] == [other["share_id"], link["share_id"]]
    gone = browser.client.delete(f"/api/v1/shares/{link['share_id']}")
    assert gone.status_code == 204
    assert browser.client.delete(f"/api/v1/shares/{link['share_id']}").status_code == 404
    assert is_nowhere(browser, link["path"])
    assert read(browser, other["path"])
    noted = [event["action"] for event in browser.get("/api/v1/audit")["events"]]
    assert [action for action in noted if action.startswith("share.")] == [
        "share.revoke", "share.create", "share.create",
    ]  # fmt: skip


def test_an_expired_link_leads_nowhere_and_goes_with_retention(
    browser: Browser, talk: Conversing
) -> None:
    talk.round()
    link = share(browser, talk.conversation_id, expires_in_days=1)
    assert share(browser, talk.conversation_id, expires_in_days=None)["expires_at"] is None
    with as_owner(browser.context.services) as connection:
        sql = """
            UPDATE shares SET expires_at = expires_at - interval '25 hours'
            WHERE user_id = %(user)s
        """
        execute(connection, sql, user=browser.user_id)
    assert is_nowhere(browser, link["path"])
    assert len(browser.get("/api/v1/shares")["shares"]) == 1
    assert "shared links" not in retire(browser.context.services)
    with as_owner(browser.context.services) as connection:
        execute(connection, sql, user=browser.user_id)
    assert retire(browser.context.services)["shared links"] == 1


def test_a_link_goes_with_its_chat_and_with_its_user(browser: Browser, talk: Conversing) -> None:
    talk.round()
    link = share(browser, talk.conversation_id)
    send(browser, dialogue())
    [other] = [
        conversation["conversation_id"]
        for conversation in browser.get("/api/v1/conversations")["conversations"]
        if conversation["conversation_id"] != talk.conversation_id
    ]
    second = share(browser, other)
    path = f"/api/v1/conversations/{talk.conversation_id}"
    previewed = browser.client.delete(f"{path}?dry_run=true").get_json()
    assert previewed["counts"]["shares"] == 1
    browser.client.delete(path)
    assert is_nowhere(browser, link["path"])
    assert read(browser, second["path"])
    assert browser.client.delete("/api/v1/me", json={"confirm": browser.user_id}).status_code == 200
    assert is_nowhere(browser, second["path"])


def test_what_is_deleted_or_said_anew_changes_behind_the_link(
    browser: Browser, talk: Conversing
) -> None:
    talk.round("A first secret")
    talk.round("A second question")
    link = share(browser, talk.conversation_id)
    conversation_id = talk.conversation_id
    browser.client.delete(f"/api/v1/conversations/{conversation_id}/messages/0")
    page = read(browser, link["path"])
    assert "secret" not in page
    assert "Reply 1." in page
    answer = browser.client.post(
        f"/chat/{conversation_id}/2/edit", json={"message": "In other words"}
    )
    assert answer.status_code == 200, answer.text
    page = read(browser, link["path"])
    assert "second question" not in page
    assert "In other words" in page


def test_a_reply_that_is_being_written_or_failed_is_not_shown(
    browser: Browser, talk: Conversing
) -> None:
    assert (
        browser.client.post(f"/api/v1/conversations/{'0' * 32}/shares", json={}).status_code == 404
    )
    talk.round()
    talk.open("Unanswered yet")
    link = share(browser, talk.conversation_id)
    assert "Unanswered" not in read(browser, link["path"])


def test_before_the_first_reply_there_is_nothing_to_share(
    browser: Browser, talk: Conversing
) -> None:
    open_round = talk.open("Hello")
    path = f"/api/v1/conversations/{talk.conversation_id}/shares"
    assert browser.client.post(path, json={}).status_code == 409
    talk.close(open_round, Outcome(status="complete", content="Hi", model="m"))
    assert browser.client.post(path, json={}).status_code == 201


@pytest.mark.parametrize("days", [0, -1, 366, 1.5, "7", 10**40, True])
def test_a_link_cannot_last_for_any_time(browser: Browser, talk: Conversing, days: object) -> None:
    talk.round()
    path = f"/api/v1/conversations/{talk.conversation_id}/shares"
    assert browser.client.post(path, json={"expires_in_days": days}).status_code == 400


def test_nobody_shares_lists_or_revokes_what_is_anothers(make_shared_browser: MakeBrowser) -> None:
    site = make_shared_browser(**PROXY, sharing=True)
    chat = site.client.post("/chat", json={"message": "Hello"}, headers=ADA).get_json()
    path = f"/api/v1/conversations/{chat['conversation_id']}/shares"
    assert site.client.post(path, json={}, headers=BOB).status_code == 404
    link = site.client.post(path, json={}, headers=ADA).get_json()
    assert site.get("/api/v1/shares", **BOB)["shares"] == []
    revoke = f"/api/v1/shares/{link['share_id']}"
    assert site.client.delete(revoke, headers=BOB).status_code == 404
    for headers in (ADA, BOB, {}):
        assert "Hello" in read(site, link["path"], headers=headers)
    assert site.client.delete(revoke, headers=ADA).status_code == 204


def test_an_api_token_publishes_nothing(browser: Browser, talk: Conversing) -> None:
    talk.round()
    form = {"name": "p", "scopes": ["chat", "memory:read", "memory:write"]}
    token = browser.client.post("/api/v1/tokens", json=form).get_json()["token"]
    headers = {"Authorization": f"Bearer {token}"}
    path = f"/api/v1/conversations/{talk.conversation_id}/shares"
    assert browser.client.post(path, json={}, headers=headers).status_code == 403
    assert browser.client.get("/api/v1/shares", headers=headers).status_code == 403
    assert browser.client.delete("/api/v1/shares/1", headers=headers).status_code == 403


def test_a_site_without_sharing_makes_no_links_and_shows_none(
    make_shared_browser: MakeBrowser,
) -> None:
    site = make_shared_browser(**PROXY, sharing=True)
    chat = site.client.post("/chat", json={"message": "Hello"}, headers=ADA).get_json()
    path = f"/api/v1/conversations/{chat['conversation_id']}/shares"
    link = site.client.post(path, json={}, headers=ADA).get_json()
    closed = make_shared_browser(**PROXY)
    assert closed.client.post(path, json={}, headers=ADA).status_code == 403
    assert is_nowhere(closed, link["path"])
    assert "data-sharing" not in closed.client.get("/", headers=ADA).text
    assert "data-sharing" in site.client.get("/", headers=ADA).text
    revoked = closed.client.delete(f"/api/v1/shares/{link['share_id']}", headers=ADA)
    assert revoked.status_code == 204


def test_a_user_has_so_many_links_and_no_more(browser: Browser, talk: Conversing) -> None:
    talk.round()
    share(browser, talk.conversation_id)
    with as_owner(browser.context.services) as connection:
        execute(
            connection,
            """
            INSERT INTO shares (user_id, conversation_id, token_hash, until_sequence)
            SELECT user_id, conversation_id, sha256(n::text::bytea), 1
            FROM shares, generate_series(2, %(most)s) n WHERE user_id = %(user)s
            """,
            user=browser.user_id,
            most=MAX_SHARES,
        )
    path = f"/api/v1/conversations/{talk.conversation_id}/shares"
    assert browser.client.post(path, json={}).status_code == 409
