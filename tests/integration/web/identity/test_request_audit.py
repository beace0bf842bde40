"""The audit log: who did what to whose data, in ids alone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from shared.access.audit import record
from shared.db import execute
from shared.maintenance.retention import retire
from shared.models import AuditEvent, UserId
from shared.store import audit
from shared.store.audit import AuditFilter
from tests.integration.web.conftest import Browser
from tests.integration.web.identity.test_identification import PROXY
from tests.integration.web.test_tokens import bearer, make
from tests.integration.web.two_users import MARK, fill
from tests.services import as_owner
from tests.waiting import wait_for

ADA, BOB = ({"X-Forwarded-User": name} for name in ("ada", "bob"))


@pytest.fixture
def site(make_browser: Callable[..., Browser]) -> Browser:
    return make_browser(**PROXY, operators="bob", sharing=True)


def events(site: Browser, user: str = "ada") -> list[AuditEvent]:
    """Newest first, as they are in the table: asking for them over HTTP is a read, too."""
    with as_owner(site.context.services) as connection:
        return audit.list_events(connection, AuditFilter(user_id=UserId(user)), 500)


def actions(site: Browser, user: str = "ada") -> list[str]:
    """Oldest first."""
    return [event.action for event in reversed(events(site, user))]


def ask(site: Browser, method: str, path: str, **more: Any) -> Any:
    answer = site.client.open(path, method=method, headers=ADA, buffered=True, **more)
    assert answer.status_code < 300, answer.text
    return answer.get_json(silent=True)


def say(site: Browser, text: str = "Hello") -> str:
    result = ask(site, "POST", "/chat", json={"message": text})
    wait_for(lambda: not site.context.runner._live)
    return str(result["conversation_id"])


def test_each_change_is_recorded_with_what_was_changed(site: Browser) -> None:
    conversation_id = say(site)
    ask(site, "PATCH", f"/api/v1/conversations/{conversation_id}", json={"title": "Mine"})
    fact = {"category": "identity", "key": "name", "value": "Ada"}
    fact_id = ask(site, "POST", "/api/v1/facts", json=fact)["fact_id"]
    new_id = ask(site, "PATCH", f"/api/v1/facts/{fact_id}", json={"value": "Ada L."})["fact_id"]
    ask(site, "DELETE", f"/api/v1/facts/{new_id}")
    ask(site, "POST", f"/chat/{conversation_id}/0/edit", json={"message": "Hi"})
    wait_for(lambda: not site.context.runner._live)
    ask(site, "DELETE", f"/api/v1/conversations/{conversation_id}/messages/1")
    ask(site, "POST", "/api/v1/imports", json=[])
    ask(site, "DELETE", f"/api/v1/conversations/{conversation_id}")
    assert [(event.action, event.thing) for event in reversed(events(site))] == [
        ("conversation.change", ("conversation", conversation_id)),
        ("fact.create", ("fact", str(fact_id))),
        ("fact.change", ("fact", str(new_id))),
        ("fact.delete", ("fact", str(new_id))),
        ("message.change", ("message", f"{conversation_id}/0")),
        ("message.delete", ("message", f"{conversation_id}/1")),
        ("memory.import", events(site)[1].thing),
        ("conversation.delete", ("conversation", conversation_id)),
    ]


def test_an_event_names_the_actor_the_token_and_the_request(site: Browser) -> None:
    token = make(site, "memory:write")
    request_id = "0123456789abcdef"
    body = {"category": "identity", "key": "name", "value": "Ada"}
    headers = bearer(token["token"]) | {"X-Request-Id": request_id}
    assert site.client.post("/api/v1/facts", json=body, headers=headers).status_code == 201
    [event, before] = events(site)
    assert (event.actor_id, event.token_id, event.request_id, event.address) == (
        "ada",
        token["token_id"],
        request_id,
        None,
    )
    assert (before.action, before.token_id) == ("token.create", None)


def test_what_is_undone_or_only_tried_is_not_recorded(site: Browser) -> None:
    conversation_id = say(site)
    ask(site, "DELETE", f"/api/v1/conversations/{conversation_id}?dry_run=true")
    ask(site, "DELETE", f"/api/v1/conversations/{conversation_id}/messages/0?dry_run=true")
    ask(site, "DELETE", "/api/v1/me?dry_run=true", json={"confirm": "ada"})
    other = f"/api/v1/conversations/{conversation_id}"
    assert site.client.delete(other, headers=BOB).status_code == 404
    assert site.client.get(f"{other}/messages", headers=BOB).status_code == 404
    assert actions(site) + actions(site, "bob") == []


def test_reads_are_recorded_once_an_hour_for_each_thing_and_token(site: Browser) -> None:
    conversation_id, token = say(site), bearer(make(site, "memory:read")["token"])
    for _ in range(3):
        for who in (ADA, token):
            for path in (
                "facts",
                "episodes",
                f"conversations/{conversation_id}/messages",
                "search?q=x",
            ):
                assert site.client.get(f"/api/v1/{path}", headers=who).status_code == 200
    read = ["conversation.read", "memory.read", "memory.search"]
    assert sorted(actions(site)) == sorted([*read, *read, "token.create"])
    assert {event.thing for event in events(site) if event.action == "conversation.read"} == {
        ("conversation", conversation_id)
    }


def test_every_export_is_recorded_and_holds_the_log(site: Browser) -> None:
    make(site)
    exported = ask(site, "GET", "/api/v1/export")
    ask(site, "GET", "/api/v1/export")
    assert actions(site).count("memory.export") == 2
    assert [event["action"] for event in exported["audit_events"]] == ["token.create"]
    assert exported["api_tokens"][0]["name"] == "a program"
    assert "token_hash" not in exported["api_tokens"][0]


def test_who_may_not_read_reads_nothing_and_nothing_is_recorded(site: Browser) -> None:
    token = bearer(make(site, "chat")["token"])
    assert site.client.get("/api/v1/facts", headers=token).status_code == 403
    site.get("/api/v1/status", **token)
    assert actions(site) == ["token.create"]


def test_each_user_reads_their_own_log_in_pages(site: Browser) -> None:
    for _ in range(5):
        make(site)
    make(site, headers=BOB)
    first = site.get("/api/v1/audit?limit=3", **ADA)
    rest = site.get(f"/api/v1/audit?limit=3&cursor={first['next_cursor']}", **ADA)
    assert [len(first["events"]), len(rest["events"]), rest["next_cursor"]] == [3, 2, None]
    assert {event["user_id"] for event in first["events"] + rest["events"]} == {"ada"}
    assert first["events"][0]["object"]["kind"] == "token"
    assert "audit.read" in actions(site)


def test_operators_read_what_was_done_to_anybody(site: Browser) -> None:
    make(site)
    entries = site.get("/api/v1/operations/audit", **BOB)["events"]
    assert [(event["user_id"], event["action"]) for event in entries] == [("ada", "token.create")]
    assert site.client.get("/api/v1/operations/audit", headers=ADA).status_code == 403
    assert actions(site, "bob") == ["audit.read"]


def test_operators_ask_by_user_action_and_time(site: Browser) -> None:
    for _ in range(3):
        make(site)
    make(site, headers=BOB)
    with as_owner(site.context.services) as connection:
        execute(
            connection,
            "UPDATE audit_events SET at = at - interval '1 day'"
            " WHERE event_id = (SELECT min(event_id) FROM audit_events)",
        )

    def ask_for(arguments: str) -> list[tuple[str, str]]:
        pairs, after = [], ""
        while True:
            page = site.get(f"/api/v1/operations/audit?limit=2&{arguments}{after}", **BOB)
            pairs += [(event["user_id"], event["action"]) for event in page["events"]]
            if page["next_cursor"] is None:
                return pairs
            after = f"&cursor={page['next_cursor']}"

    creation = ("ada", "token.create")
    assert ask_for("user_id=ada") == [creation] * 3
    assert ask_for("actor_id=bob&action=token.create") == [("bob", "token.create")]
    yesterday = (datetime.now(UTC) - timedelta(hours=12)).strftime("%Y-%m-%dT%H:%M:%SZ")
    assert ask_for(f"user_id=ada&until={yesterday}") == [creation]
    assert ask_for(f"user_id=ada&since={yesterday}") == [creation] * 2
    assert ask_for("user_id=nobody") == []
    for wrong in ("action=x", "since=x", "user_id=%00", "user_id="):
        answer = site.client.get(f"/api/v1/operations/audit?{wrong}", headers=BOB)
        assert answer.status_code == 400, wrong
    entries = site.get("/api/v1/audit?action=token.create", **ADA)["events"]
    assert {(event["user_id"], event["action"]) for event in entries} == {creation}
    assert site.client.get("/api/v1/audit?user_id=bob", headers=ADA).status_code == 400


def test_the_log_holds_no_word_of_anybody(site: Browser) -> None:
    fill(site)
    ask(site, "GET", f"/api/v1/search?q={MARK}")
    with as_owner(site.context.services) as connection:
        log = [repr(event) for event in audit.list_events(connection, AuditFilter(), 500)]
    assert len(log) > 2
    assert MARK.lower() not in "".join(log).lower()


def test_of_a_deleted_user_the_log_keeps_the_deletion_alone(site: Browser) -> None:
    make(site)
    site.get("/api/v1/facts", **ADA)
    with as_owner(site.context.services) as connection:
        record(connection, "account.change", UserId("ada"), by=UserId("bob"))
    ask(site, "DELETE", "/api/v1/me", json={"confirm": "ada"})
    assert [(event.action, event.actor_id) for event in reversed(events(site))] == [
        ("account.change", "bob"),
        ("user.delete", "ada"),
    ]


def test_addresses_are_kept_only_where_the_settings_ask(
    make_browser: Callable[..., Browser],
) -> None:
    site = make_browser(**PROXY, audit_addresses=True)
    make(site)
    assert [event.address for event in events(site)] == ["127.0.0.1"]


def test_behind_a_proxy_the_address_is_the_clients_and_none_that_it_invents(
    make_browser: Callable[..., Browser],
) -> None:
    site = make_browser(**PROXY, audit_addresses=True)
    body = {"name": "a program", "scopes": ["chat"]}
    for forwarded in ("198.51.100.7", "1.2.3.4, 198.51.100.7", "my cat, 198.51.100.7"):
        headers = ADA | {"X-Forwarded-For": forwarded}
        assert site.client.post("/api/v1/tokens", json=body, headers=headers).status_code == 201
    assert {event.address for event in events(site)} == {"198.51.100.7"}


def test_what_is_done_with_webhooks_is_recorded(site: Browser) -> None:
    body = {"url": "https://hooks.example.org/secret-path"}
    webhook_id = ask(site, "POST", "/api/v1/webhooks", json=body)["webhook_id"]
    ask(site, "PATCH", f"/api/v1/webhooks/{webhook_id}", json={"enabled": False})
    ask(site, "POST", f"/api/v1/webhooks/{webhook_id}/rotate")
    ask(site, "DELETE", f"/api/v1/webhooks/{webhook_id}")
    assert site.client.delete(f"/api/v1/webhooks/{webhook_id}", headers=BOB).status_code == 404
    assert actions(site) == ["webhook.create", "webhook.change", "webhook.change", "webhook.delete"]
    assert {event.thing for event in events(site)} == {("webhook", str(webhook_id))}


def test_a_browser_that_shows_the_local_token_begins_a_session(
    make_browser: Callable[..., Browser],
) -> None:
    site = make_browser(local_token="correct-horse-battery")
    assert site.client.get("/?token=correct-horse-battery").status_code == 302
    assert site.client.get("/?token=wrong-wrong-wrong").status_code == 200  # it has the cookie
    assert actions(site, "local") == ["session.begin"]


@pytest.mark.changes_schema
def test_a_read_is_answered_also_when_it_cannot_be_recorded(site: Browser) -> None:
    with as_owner(site.context.services) as connection:
        execute(connection, "ALTER TABLE audit_events RENAME TO away")
    try:
        assert site.client.get("/api/v1/facts", headers=ADA).status_code == 200
    finally:
        with as_owner(site.context.services) as connection:
            execute(connection, "ALTER TABLE away RENAME TO audit_events")


def test_old_events_go_after_keep_audit_days(make_browser: Callable[..., Browser]) -> None:
    site = make_browser(**PROXY, keep_audit_days=7)
    for _ in range(3):
        make(site)
    with as_owner(site.context.services) as connection:
        execute(
            connection,
            "UPDATE audit_events SET at = at - interval '8 days'"
            " WHERE event_id < (SELECT max(event_id) FROM audit_events)",
        )
    retire(make_browser(**PROXY, keep_audit_days=0).context.services)
    assert len(events(site)) == 3
    retire(site.context.services)
    assert len(events(site)) == 1
