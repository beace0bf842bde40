"""A grant: renewed, given back, and ended when it is misused."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from shared.db import execute, fetch_row
from shared.store import oauth_grants
from tests.integration.web.accounts.conftest import AccountSite, Person
from tests.integration.web.mcp.oauth.conftest import (
    Program,
    connect,
    consent,
    is_good,
)
from tests.services import owner_database


def test_a_refresh_replaces_both_tokens(
    site: AccountSite,
    olga: Person,
    program: Program,
) -> None:
    first = connect(program, olga)
    second = program.refresh(first["refresh_token"]).get_json()
    assert second["refresh_token"] != first["refresh_token"]
    assert not is_good(site, first["access_token"])
    assert is_good(site, second["access_token"])


def test_a_refresh_token_used_again_ends_the_grant(
    site: AccountSite,
    olga: Person,
    program: Program,
) -> None:
    first = connect(program, olga)
    second = program.refresh(first["refresh_token"]).get_json()
    _pass_time(site, seconds=oauth_grants.GRACE_S + 1)
    assert program.refresh(first["refresh_token"]).get_json()["error"] == "invalid_grant"
    assert program.refresh(second["refresh_token"]).get_json()["error"] == "invalid_grant"
    assert not is_good(site, second["access_token"])


def test_a_code_used_again_ends_the_grant(
    site: AccountSite,
    olga: Person,
    program: Program,
) -> None:
    callback = consent(olga, program.authorize().headers["Location"])
    tokens = program.redeem(callback["code"]).get_json()
    assert program.redeem(callback["code"]).get_json()["error"] == "invalid_grant"
    assert not is_good(site, tokens["access_token"])
    assert program.refresh(tokens["refresh_token"]).get_json()["error"] == "invalid_grant"


def test_a_token_that_is_revoked_on_the_page_is_not_renewed(
    site: AccountSite,
    olga: Person,
    program: Program,
) -> None:
    tokens = connect(program, olga)
    [token] = olga.get("/api/v1/tokens").get_json()["tokens"]
    assert olga.client.delete(f"/api/v1/tokens/{token['token_id']}").status_code == 204
    assert not is_good(site, tokens["access_token"])
    assert program.refresh(tokens["refresh_token"]).get_json()["error"] == "invalid_grant"


@pytest.mark.parametrize("kind", ["access_token", "refresh_token"])
def test_a_program_may_give_its_tokens_back(
    site: AccountSite,
    olga: Person,
    program: Program,
    kind: str,
) -> None:
    tokens = connect(program, olga)
    other = Program(program.http)
    other.register(client_name="Another")
    for who, is_over in ((other, False), (program, True)):
        body = {"client_id": who.client_id, "token": tokens[kind]}
        assert program.http.post("/oauth/revoke", data=body).status_code == 200
        assert is_good(site, tokens["access_token"]) is not is_over
    assert program.refresh(tokens["refresh_token"]).get_json()["error"] == "invalid_grant"
    log = olga.get("/api/v1/audit").get_json()["events"]
    of_programs = [event for event in log if event["action"].startswith("program.")]
    assert [event["action"] for event in of_programs] == ["program.end", "program.allow"]
    assert {event["object"]["kind"] for event in of_programs} == {"program"}


@pytest.mark.shares_sites
@pytest.mark.parametrize(
    "fields",
    [
        {"code_verifier": "w" * 64},
        {"redirect_uri": "http://127.0.0.1:5555/other"},
        {"client_id": "another"},
        {"code": "made-up"},
    ],
)
def test_a_code_is_good_for_its_own_request_alone(
    olga: Person, program: Program, fields: dict[str, str]
) -> None:
    callback = consent(olga, program.authorize().headers["Location"])
    answer = program.redeem(**{"code": callback["code"]} | fields)
    assert answer.status_code in {400, 401}
    assert "access_token" not in answer.get_json()


@pytest.mark.shares_sites
def test_a_code_is_no_good_to_another_program(olga: Person, program: Program) -> None:
    callback = consent(olga, program.authorize().headers["Location"])
    thief = Program(program.http)
    thief.register(client_name="Thief")
    assert thief.redeem(callback["code"]).get_json()["error"] == "invalid_grant"


@pytest.mark.parametrize("times", [2, 5])
def test_threads_that_refresh_at_once_keep_the_grant(
    site: AccountSite, olga: Person, program: Program, times: int
) -> None:
    first = connect(program, olga)

    def refresh(_: int) -> Any:
        client = Program(site.browser.client.application.test_client(), program.client_id)
        return client.refresh(first["refresh_token"]).get_json()

    with ThreadPoolExecutor(times) as threads:
        answers = list(threads.map(refresh, range(times)))
    assert len({answer["refresh_token"] for answer in answers}) == 1
    assert sum(is_good(site, answer["access_token"]) for answer in answers) == 1
    later = program.refresh(answers[0]["refresh_token"]).get_json()
    assert is_good(site, later["access_token"])


def test_the_refresh_token_before_the_last_has_no_grace(
    site: AccountSite, olga: Person, program: Program
) -> None:
    first = connect(program, olga)
    second = program.refresh(first["refresh_token"]).get_json()
    third = program.refresh(second["refresh_token"]).get_json()
    assert program.refresh(first["refresh_token"]).get_json()["error"] == "invalid_grant"
    assert not is_good(site, third["access_token"])


def test_grace_does_not_prolong_a_grant(site: AccountSite, olga: Person, program: Program) -> None:
    first = connect(program, olga)
    program.refresh(first["refresh_token"])
    before = _expiry(site)
    assert program.refresh(first["refresh_token"]).status_code == 200
    assert _expiry(site) == before


def test_grants_that_have_expired_are_deleted(
    site: AccountSite, olga: Person, program: Program
) -> None:
    connect(program, olga)
    database = site.browser.context.services.database
    with database.upkeep() as connection:
        assert oauth_grants.delete_expired(connection, older_than_days=1, limit=10) == 0
    _pass_time(site, days=32)
    with database.upkeep() as connection:
        assert oauth_grants.delete_expired(connection, older_than_days=1, limit=10) == 1


def _pass_time(site: AccountSite, **interval: int) -> None:
    """As if all grants were older."""
    database = owner_database(site.browser.context.services)
    with database.transaction() as connection:
        execute(
            connection,
            """
            UPDATE oauth_grants
            SET expires_at = expires_at - make_interval(days => %(days)s, secs => %(seconds)s)
            """,
            days=interval.get("days", 0),
            seconds=interval.get("seconds", 0),
        )
    database.close()


def _expiry(site: AccountSite) -> object:
    database = owner_database(site.browser.context.services)
    with database.transaction() as connection:
        row = fetch_row(connection, "SELECT expires_at FROM oauth_grants")
    database.close()
    assert row is not None
    return row["expires_at"]
