"""Sign-in by OpenID Connect: with a real provider, and with one that lies."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.e2e.site import free_port
from tests.fakes.oidc_server import (
    CLIENT_ID,
    FakeProvider,
    Forge,
    leave_unsigned,
    sign_with_another_key,
    sign_with_the_public_key,
    tear,
)
from tests.integration.web.accounts.oidc import (
    HERE,
    MakeSite,
    begin,
    come_back,
    liar,
    make_site,
    sign_in_at,
)
from tests.waiting import PATIENCE_S, wait_for

__all__ = ["liar"]

START_S = PATIENCE_S
HOUR_S = 3600
DAY_S = 24 * HOUR_S


@pytest.fixture(scope="module")
def real_issuer() -> Iterator[str]:
    port = free_port()
    command = [sys.executable, "-m", "oidc_provider_mock", "--port", str(port)]
    process = subprocess.Popen(
        command,
        env=os.environ | {"PYTHONWARNINGS": "ignore"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    issuer = f"http://127.0.0.1:{port}"
    try:
        wait_for(lambda: _answers(issuer), START_S)
        yield issuer
    finally:
        process.terminate()
        process.wait(START_S)


def _answers(issuer: str) -> bool:
    try:
        return httpx.get(f"{issuer}/.well-known/openid-configuration", timeout=60).is_success
    except httpx.HTTPError:
        return False


def test_people_sign_in_at_a_real_provider_and_are_themselves_each_time(
    make_account_site: MakeSite, real_issuer: str
) -> None:
    site = make_site(make_account_site, real_issuer, oidc_client_secret="a-secret")
    ada, bob = site.person(""), site.person("")
    there = ada.get("/c/some-chat")
    assert there.location.startswith("/account/sign-in")
    assert "Go on to sign in" in ada.get(there.location).text
    back = sign_in_at(ada, "ada", to="/c/some-chat")
    assert (back.status_code, back.location) == (303, "/c/some-chat")
    sign_in_at(bob, "bob")
    again = site.person("")
    sign_in_at(again, "ada")
    assert ada.user_id() == again.user_id() != bob.user_id()
    assert ada.user_id().startswith("acct_")
    assert ada.get("/account").status_code == 200
    assert ada.get("/operations").status_code == 403


def test_the_request_has_state_nonce_and_pkce(
    make_account_site: MakeSite, liar: FakeProvider
) -> None:
    site = make_site(make_account_site, liar.issuer)
    ada = site.person("")
    first, second = begin(ada), begin(ada)
    assert first["code_challenge_method"] == "S256"
    assert first["redirect_uri"] == f"{HERE}/account/oidc/callback"
    for name in ("state", "nonce", "code_challenge"):
        assert len(first[name]) >= 20
        assert first[name] != second[name]
    assert come_back(ada, liar).status_code == 303
    assert len(liar.form["code_verifier"]) >= 43


def test_signing_out_and_everywhere_works_as_with_passwords(
    make_account_site: MakeSite, real_issuer: str
) -> None:
    site = make_site(make_account_site, real_issuer, oidc_client_secret="a-secret")
    ada, phone = site.person(""), site.person("")
    sign_in_at(ada, "ada")
    sign_in_at(phone, "ada")
    ada.submit("/account", "/account/sign-out")
    assert [ada.is_signed_in(), phone.is_signed_in()] == [False, True]
    assert "/oauth2/end_session" in ada.get("/account/sign-in").text
    phone.submit("/account", "/account/sign-out-everywhere")
    assert not phone.is_signed_in()


def test_operators_are_named_by_subject_or_by_a_claim_of_now(
    make_account_site: MakeSite, liar: FakeProvider
) -> None:
    site = make_site(make_account_site, liar.issuer, operators=("subject-1",))
    ada = site.person("")
    come_back(ada, liar)
    assert ada.get("/operations").status_code == 200
    claimed = make_site(make_account_site, liar.issuer, oidc_operator_claim="groups=admins")
    bob = claimed.person("")
    liar.claims = {"sub": "subject-2", "groups": ["staff", "admins"]}
    come_back(bob, liar)
    assert bob.get("/account/people").status_code == 200
    liar.claims = {"sub": "subject-2", "groups": ["staff"]}
    come_back(bob, liar)
    assert bob.get("/operations").status_code == 403


def test_neither_name_nor_email_says_who_somebody_is(
    make_account_site: MakeSite, liar: FakeProvider
) -> None:
    site = make_site(make_account_site, liar.issuer)
    ada, eve = site.person(""), site.person("")
    come_back(ada, liar)
    liar.claims = {"sub": "subject-2", "preferred_username": "Ada", "email": "ada@example.org"}
    come_back(eve, liar)
    assert ada.user_id() != eve.user_id()
    liar.claims = {"preferred_username": "<script>\u202e", "email": "other@example.org"}
    again = site.person("")
    come_back(again, liar)
    assert again.user_id() == ada.user_id()
    assert "<script>" not in again.get("/account").text


FORGED: dict[str, Forge] = {
    "unsigned": leave_unsigned,
    "signed with another key": sign_with_another_key,
    "signed with the public key": sign_with_the_public_key,
    "torn": tear,
}


@pytest.mark.parametrize("how", FORGED)
def test_a_token_that_the_provider_did_not_sign_signs_nobody_in(
    make_account_site: MakeSite, liar: FakeProvider, how: str
) -> None:
    """Not even if the provider's description allows such tokens."""
    liar.algorithms = ("RS256", "none", "HS256")
    liar.forge = FORGED[how]
    eve = make_site(make_account_site, liar.issuer).person("")
    answer = come_back(eve, liar)
    assert answer.status_code == 403, answer.text
    assert "not signed in" in answer.text
    assert not eve.is_signed_in()


@pytest.mark.parametrize(
    "claims",
    [
        {"nonce": "another"}, {"nonce": None}, {"aud": "another-site"}, {"aud": None},
        {"aud": ["another-site"]}, {"aud": "another-site", "azp": CLIENT_ID},
        {"iss": "https://evil.example"}, {"iss": None}, {"exp": 1}, {"exp": None}, {"sub": None},
        {"sub": ""}, {"sub": 7}, {"iat": None}, {"sub": "x" * 300},
        {"aud": [CLIENT_ID, "another-site"], "azp": "another-site"},
    ],
)  # fmt: skip
def test_a_token_of_another_time_place_or_question_signs_nobody_in(
    make_account_site: MakeSite, liar: FakeProvider, claims: dict[str, Any]
) -> None:
    liar.claims = claims
    eve = make_site(make_account_site, liar.issuer).person("")
    answer = come_back(eve, liar)
    assert answer.status_code == 403, answer.text
    assert not eve.is_signed_in()


NO_TIMES: tuple[object, ...] = (
    True,
    "1800000000",
    [1800000000],
    {},
    -1,
    1e308,
    10**400,
    float("nan"),
    float("inf"),
)
OTHER_TIMES = {
    "exp": (-90, -31, 366 * DAY_S),
    "iat": (90, -HOUR_S),
    "nbf": (90, HOUR_S),
    "auth_time": (90, HOUR_S),
}


@pytest.mark.parametrize("claim", OTHER_TIMES)
def test_a_token_whose_times_are_none_or_not_of_now_signs_nobody_in(
    make_account_site: MakeSite, liar: FakeProvider, claim: str
) -> None:
    site = make_site(make_account_site, liar.issuer)
    now = int(time.time())
    for value in (*NO_TIMES, *(now + offset for offset in OTHER_TIMES[claim])):
        liar.claims = {claim: value}
        eve = site.person("")
        assert come_back(eve, liar).status_code == 403, value
        assert not eve.is_signed_in()


def test_clocks_may_differ_by_some_seconds_and_a_session_there_may_be_old(
    make_account_site: MakeSite, liar: FakeProvider
) -> None:
    now = time.time()
    liar.claims = {"exp": now - 5, "iat": now + 10, "nbf": now + 10, "auth_time": now - 90 * DAY_S}
    ada = make_site(make_account_site, liar.issuer).person("")
    assert come_back(ada, liar).status_code == 303


def test_a_provider_that_is_away_or_is_another_one_is_told_clearly(
    make_account_site: MakeSite, liar: FakeProvider
) -> None:
    away = make_site(make_account_site, "http://127.0.0.1:1").person("")
    answer = away.get("/account/oidc/start")
    assert answer.status_code == 503
    assert "cannot be reached" in answer.text
    liar.issuer_says = "https://evil.example"
    other = make_site(make_account_site, liar.issuer).person("")
    assert other.get("/account/oidc/start").status_code == 503


def test_a_cookie_does_not_grow_with_sign_ins_that_nobody_ends(
    make_account_site: MakeSite, liar: FakeProvider
) -> None:
    ada = make_site(make_account_site, liar.issuer).person("")
    for _ in range(8):
        begin(ada)
    [cookie] = (ada.client._cookies or {}).values()
    assert len(cookie.value) < 3500
    assert come_back(ada, liar).status_code == 303


def test_there_are_no_passwords_where_a_provider_signs_in(
    make_account_site: MakeSite, liar: FakeProvider
) -> None:
    site = make_site(make_account_site, liar.issuer, sign_up="open")
    ada = site.person("Ada")
    come_back(ada, liar)
    match = re.search(r'csrf_token" value="([^"]+)"', ada.get("/account").text)
    assert match
    for path in ("sign-in", "sign-up", "reset", "second-factor/begin", "password", "name"):
        answer = ada.post(
            f"/account/{path}", csrf_token=match[1], name="Eve", password="x", again="x"
        )
        assert answer.status_code == 404, path


def test_accounts_of_one_mode_do_not_count_in_the_other(
    make_account_site: MakeSite, liar: FakeProvider
) -> None:
    with_passwords = make_account_site()
    olga = with_passwords.operator("Olga")
    answer = olga.client.post("/api/v1/tokens", json={"name": "x", "scopes": ["memory:read"]})
    elsewhere = make_site(make_account_site, liar.issuer)
    cookies = (olga.client._cookies or {}).values()
    moved = elsewhere.person("", Authorization=f"Bearer {answer.get_json()['token']}")
    assert not moved.is_signed_in()
    moved = elsewhere.person("")
    for cookie in cookies:
        moved.client.set_cookie(cookie.key, cookie.value)
    assert not moved.is_signed_in()


def test_new_people_are_refused_where_sign_up_is_closed(
    make_account_site: MakeSite, liar: FakeProvider
) -> None:
    open_site = make_site(make_account_site, liar.issuer)
    come_back(open_site.person(""), liar)
    closed = make_site(make_account_site, liar.issuer, sign_up="closed")
    assert come_back(closed.person(""), liar).status_code == 303
    liar.claims = {"sub": "subject-2"}
    assert come_back(closed.person(""), liar).status_code == 403
