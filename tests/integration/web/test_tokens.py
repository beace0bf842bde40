"""API tokens: what they let in, what they keep out, and who may make them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from werkzeug.test import TestResponse

from shared.access.tokens import MAX_TOKENS
from shared.db import execute, fetch_rows
from tests.integration.web.conftest import Browser
from tests.integration.web.identity.test_identification import PROXY
from tests.refusals import code_of, message_of
from tests.services import as_owner
from web.app import OPEN_ENDPOINTS
from web.requests.callers import scopes_of

ADA, BOB = ({"X-Forwarded-User": name} for name in ("ada", "bob"))
READ = ["memory:read"]


@pytest.fixture
def site(make_browser: Callable[..., Browser]) -> Browser:
    return make_browser(**PROXY, operators="ada")


def make(site: Browser, *scopes: str, headers: dict[str, str] = ADA, **fields: object) -> Any:
    body = {"name": "a program", "scopes": [*scopes] or ["chat"]} | fields
    answer = site.client.post("/api/v1/tokens", json=body, headers=headers)
    assert answer.status_code == 201, answer.text
    return answer.get_json()


def bearer(text: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {text}"}


def refusal_of(answer: TestResponse) -> tuple[int, str]:
    return answer.status_code, code_of(answer)


def change(site: Browser, sql: Any) -> None:
    with as_owner(site.context.services) as connection:
        execute(connection, sql)


def test_a_token_stands_for_its_user_without_the_proxys_word(site: Browser) -> None:
    token = bearer(make(site, "chat", "memory:read")["token"])
    assert site.client.post("/chat", json={"message": "Hello"}, headers=token).status_code == 200
    assert site.get("/api/v1/status", **token)["user_id"] == "ada"
    assert len(site.get("/api/v1/conversations", **token)["conversations"]) == 1


@pytest.mark.parametrize(
    "mode",
    [{"local_token": "off"}, {"local_token": "correct-horse-battery"}, {"local_token": ""}],
)
def test_a_token_counts_on_a_local_site(
    make_browser: Callable[..., Browser], mode: dict[str, str]
) -> None:
    site = make_browser(**mode)
    headers = bearer(site.context.local_token) if site.context.local_token else {}
    token = make(site, "memory:read", headers=headers)["token"]
    assert site.get("/api/v1/status", **bearer(token))["user_id"] == "local"
    assert site.client.get("/api/v1/facts", headers=bearer(token)).status_code == 200
    refused = site.client.post("/chat", json={"message": "Hello"}, headers=bearer(token))
    assert refusal_of(refused) == (403, "missing_scope")


def test_a_local_token_may_look_like_an_api_token(make_browser: Callable[..., Browser]) -> None:
    site = make_browser(local_token="tl_chosen-by-a-person")
    assert site.get("/api/v1/status", **bearer("tl_chosen-by-a-person"))["user_id"] == "local"
    assert site.client.get("/api/v1/status", headers=bearer("tl_other")).status_code == 401


def test_a_missing_scope_is_named(site: Browser) -> None:
    token = bearer(make(site, *READ)["token"])
    answer = site.client.post("/api/v1/facts", json={}, headers=token)
    assert refusal_of(answer) == (403, "missing_scope")
    assert "memory:write" in message_of(answer)
    assert answer.headers["WWW-Authenticate"] == (
        'Bearer error="insufficient_scope", scope="memory:write"'
    )


def test_each_address_is_closed_to_a_token_without_its_scope(site: Browser) -> None:
    app = site.client.application
    tokens = {scope: make(site, scope)["token"] for scope in ("chat", "memory:read")}
    for rule in app.url_map.iter_rules():
        if rule.endpoint in OPEN_ENDPOINTS:
            continue
        scopes = scopes_of(app.view_functions[rule.endpoint])
        assert scopes is not None
        for scope, token in tokens.items():
            if scopes and scope not in scopes:
                path = rule.rule.replace("<conversation:conversation_id>", "0" * 32)
                path = "/".join("1" if "<" in part else part for part in path.split("/"))
                method = min((rule.methods or set()) - {"HEAD", "OPTIONS"})
                answer = site.client.open(path, method=method, headers=bearer(token))
                assert answer.status_code in {403, 404}, rule


@pytest.mark.shares_sites
@pytest.mark.parametrize(
    "text",
    ["tl_", "tl_" + "A" * 43, "tl_" + "A" * 42 + "\xe4", "tl_" + "\x01" * 43, "tl_" + "A" * 4000],
)
def test_an_unknown_token_is_refused_with_a_challenge(site: Browser, text: str) -> None:
    answer = site.client.get("/api/v1/status", headers=ADA | bearer(text))
    assert refusal_of(answer) == (401, "invalid_token")
    assert answer.headers["WWW-Authenticate"] == 'Bearer error="invalid_token"'


def test_a_revoked_token_is_refused_at_once(site: Browser) -> None:
    token = make(site)
    assert site.client.get("/api/v1/status", headers=bearer(token["token"])).status_code == 200
    path = f"/api/v1/tokens/{token['token_id']}"
    assert site.client.delete(path, headers=ADA).status_code == 204
    answer = site.client.get("/api/v1/status", headers=bearer(token["token"]))
    assert refusal_of(answer) == (401, "invalid_token")
    assert "revoked" in message_of(answer)
    assert site.client.delete(path, headers=ADA).status_code == 404
    assert site.get("/api/v1/tokens", **ADA)["tokens"] == []


def test_an_expired_token_is_refused_and_still_listed(site: Browser) -> None:
    token = make(site, expires_in_days=1)
    assert token["expires_at"] is not None
    change(site, "UPDATE api_tokens SET expires_at = now() - interval '1 second'")
    answer = site.client.get("/api/v1/status", headers=bearer(token["token"]))
    assert refusal_of(answer) == (401, "invalid_token")
    assert "expired" in message_of(answer)
    assert len(site.get("/api/v1/tokens", **ADA)["tokens"]) == 1


def test_the_text_is_shown_once_and_stored_nowhere(site: Browser) -> None:
    token = make(site)
    assert token["token"].startswith(token["prefix"])
    assert len(token["prefix"]) == 9
    listed = site.client.get("/api/v1/tokens", headers=ADA)
    assert token["token"] not in listed.text
    with as_owner(site.context.services) as connection:
        [row] = fetch_rows(connection, "SELECT t::text AS row FROM api_tokens t")
    assert token["token"][9:] not in row["row"]


def test_the_last_use_is_noted_once_a_minute(site: Browser) -> None:
    token = bearer(make(site)["token"])

    def last_used() -> str | None:
        return site.get("/api/v1/tokens", **ADA)["tokens"][0]["last_used_at"]

    assert last_used() is None
    site.get("/api/v1/status", **token)
    first = last_used()
    assert first is not None
    site.get("/api/v1/status", **token)
    assert last_used() == first
    change(site, "UPDATE api_tokens SET last_used_at = now() - interval '61 seconds'")
    site.get("/api/v1/status", **token)
    assert last_used() not in {None, first}


def test_a_use_does_not_wait_for_whoever_has_locked_the_token(site: Browser) -> None:
    token = bearer(make(site)["token"])
    with as_owner(site.context.services) as connection:
        execute(connection, "SELECT 1 FROM api_tokens FOR UPDATE")
        assert site.client.get("/api/v1/status", headers=token).status_code == 200


def test_a_token_manages_no_tokens_but_may_revoke_itself(site: Browser) -> None:
    every = ("chat", "memory:read", "memory:write", "operate")
    first, other = make(site, *every), make(site)
    token = bearer(first["token"])
    assert site.client.get("/api/v1/tokens", headers=token).status_code == 403
    body = {"name": "another", "scopes": ["chat"]}
    assert site.client.post("/api/v1/tokens", json=body, headers=token).status_code == 403
    assert (
        site.client.delete(f"/api/v1/tokens/{other['token_id']}", headers=token).status_code == 403
    )
    assert (
        site.client.delete(f"/api/v1/tokens/{first['token_id']}", headers=token).status_code == 204
    )
    assert site.client.get("/api/v1/status", headers=token).status_code == 401


def test_only_an_operator_has_or_gives_the_scope_operate(site: Browser) -> None:
    body = {"name": "watch", "scopes": ["operate"]}
    refused = site.client.post("/api/v1/tokens", json=body, headers=BOB)
    assert refusal_of(refused) == (403, "forbidden")
    assert "operate" not in site.get("/api/v1/tokens", **BOB)["scopes"]
    token = bearer(make(site, "operate")["token"])
    assert site.client.get("/api/v1/operations", headers=token).status_code == 200
    assert site.client.get("/api/v1/facts", headers=token).status_code == 403


def test_a_token_of_a_former_operator_operates_no_more(
    make_browser: Callable[..., Browser],
) -> None:
    before = make_browser(**PROXY, operators="ada")
    token = bearer(make(before, "operate", "memory:read")["token"])
    after = make_browser(**PROXY, operators="bob")
    assert after.client.get("/api/v1/operations", headers=token).status_code == 403
    assert after.client.get("/api/v1/facts", headers=token).status_code == 200


def test_on_an_open_local_site_operate_costs_flowers_password(
    make_browser: Callable[..., Browser],
) -> None:
    site = make_browser(flower_basic_auth="admin:long-password")
    body = {"name": "watch", "scopes": ["operate"]}
    assert site.client.post("/api/v1/tokens", json=body).status_code == 401
    answer = site.client.post("/api/v1/tokens", json=body, auth=("admin", "long-password"))
    assert answer.status_code == 201
    token = bearer(answer.get_json()["token"])
    assert site.client.get("/api/v1/operations", headers=token).status_code == 200


def test_a_token_comes_through_the_proxy_and_agrees_with_its_word(
    make_browser: Callable[..., Browser], site: Browser
) -> None:
    token = bearer(make(site)["token"])
    assert site.client.get("/api/v1/status", headers=token | ADA).status_code == 200
    assert refusal_of(site.client.get("/api/v1/status", headers=token | BOB)) == (403, "forbidden")
    beside = {"REMOTE_ADDR": "10.9.9.9"}
    answer = site.client.get("/api/v1/status", headers=token, environ_base=beside)
    assert refusal_of(answer) == (403, "forbidden")


@pytest.mark.shares_sites
@pytest.mark.parametrize(
    "fields",
    [
        {"name": "  "},
        {"name": "a\u202eb"},
        {"name": "x" * 101},
        {"name": "\x00"},
        {"scopes": []},
        {"scopes": ["everything"]},
        {"scopes": ["chat"] * 5},
        {"expires_in_days": 0},
        {"expires_in_days": 10**9},
        {"expires_in_days": 1.5},
        {"unknown": 1},
    ],
)
def test_a_token_that_cannot_be_is_refused(site: Browser, fields: dict[str, object]) -> None:
    body = {"name": "a program", "scopes": ["chat"]} | fields
    answer = site.client.post("/api/v1/tokens", json=body, headers=ADA)
    assert refusal_of(answer) == (400, "invalid_request")
    assert site.get("/api/v1/tokens", **ADA)["tokens"] == []


def test_a_scope_asked_twice_is_given_once(site: Browser) -> None:
    assert make(site, "memory:read", "chat", "chat")["scopes"] == ["chat", "memory:read"]


def test_nobody_fills_the_table(site: Browser) -> None:
    for _ in range(MAX_TOKENS):
        make(site)
    body = {"name": "one more", "scopes": ["chat"]}
    refused = site.client.post("/api/v1/tokens", json=body, headers=ADA)
    assert refusal_of(refused) == (409, "conflict")
    make(site, headers=BOB)


def test_tokens_go_with_their_user(site: Browser) -> None:
    token = bearer(make(site)["token"])
    answer = site.client.delete("/api/v1/me", json={"confirm": "ada"}, headers=ADA)
    assert answer.status_code == 200
    assert site.client.get("/api/v1/status", headers=token).status_code == 401


def test_a_database_that_is_away_is_no_wrong_token(site: Browser) -> None:
    """A client that is told 401 would throw its token away."""
    token = bearer(make(site)["token"])
    site.context.services.database.close()
    site.context.services.database._url = "postgresql://127.0.0.1:1/none"
    site.context.services.database.__dict__.pop("_engine", None)
    assert site.client.get("/api/v1/status", headers=token).status_code == 503
