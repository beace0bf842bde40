"""What a browser holds, and how it stops being good."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from itsdangerous import URLSafeTimedSerializer

from shared.db import execute, fetch_rows
from tests.integration.web.accounts.conftest import PASSWORD, AccountSite, Person
from tests.services import as_owner


def cookies_of(person: Person) -> dict[str, str]:
    return {cookie.key: cookie.value for cookie in (person.client._cookies or {}).values()}


def with_cookies(site: AccountSite, cookies: dict[str, str]) -> Person:
    thief = site.person("")
    for name, value in cookies.items():
        thief.client.set_cookie(name, value)
    return thief


@pytest.mark.shares_sites
def test_the_cookie_is_for_this_site_and_no_script(site: AccountSite) -> None:
    site.operator("Olga")
    [cookie] = site.person("Olga").sign_in().headers.getlist("Set-Cookie")
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Path=/" in cookie
    assert "Domain" not in cookie
    assert "Secure" not in cookie


@pytest.mark.shares_sites
@pytest.mark.parametrize(
    ("settings", "headers"),
    [
        ({"public_url": "https://chat.example.org"}, {}),
        ({"trusted_proxies": ("127.0.0.1",)}, {"X-Forwarded-Proto": "https"}),
    ],
)
def test_with_tls_the_cookie_is_sent_over_tls_alone(
    make_account_site: Callable[..., AccountSite],
    settings: dict[str, object],
    headers: dict[str, str],
) -> None:
    site = make_account_site(**settings)
    olga = site.person("Olga", **headers)
    answer = olga.client.get("/account/sign-in", headers=headers, base_url="https://localhost")
    [cookie] = answer.headers.getlist("Set-Cookie")
    assert cookie.startswith("__Host-throughline=")
    assert "Secure" in cookie


@pytest.mark.shares_sites
def test_a_proxy_that_is_not_trusted_does_not_say_what_is_secure(site: AccountSite) -> None:
    olga = site.person("Olga", **{"X-Forwarded-Proto": "https"})
    [cookie] = olga.get("/account/sign-in").headers.getlist("Set-Cookie")
    assert "Secure" not in cookie


def test_signing_in_begins_a_new_session_whatever_the_browser_had(site: AccountSite) -> None:
    """Session fixation: somebody else's session was put into this browser before."""
    olga = site.operator("Olga")
    eve = site.user("Eve")
    planted = cookies_of(eve)
    victim = with_cookies(site, planted)
    victim.name = "Olga"
    victim.get("/account")
    token = victim.submit("/account", "/account/sign-out")
    assert token.status_code == 303
    assert victim.sign_in().status_code == 303
    assert cookies_of(victim) != planted
    assert victim.user_id() == olga.user_id()
    assert not with_cookies(site, planted).is_signed_in()


def test_a_cookie_from_before_the_sign_in_is_not_signed_in_after_it(site: AccountSite) -> None:
    site.operator("Olga")
    olga = site.person("Olga")
    olga.get("/account/sign-in")
    before = cookies_of(olga)
    assert olga.sign_in().status_code == 303
    assert not with_cookies(site, before).is_signed_in()


def test_signing_out_ends_the_session_also_for_a_copy_of_the_cookie(site: AccountSite) -> None:
    olga = site.operator("Olga")
    copy = with_cookies(site, cookies_of(olga))
    assert copy.is_signed_in()
    assert olga.submit("/account", "/account/sign-out").status_code == 303
    assert not olga.is_signed_in()
    assert not copy.is_signed_in()


def test_signing_out_everywhere_ends_all_sessions_of_this_account_alone(site: AccountSite) -> None:
    olga = site.operator("Olga")
    ada = site.user("Ada")
    phone = site.operator("Olga")
    stolen = with_cookies(site, cookies_of(phone))
    olga.submit("/account", "/account/sign-out-everywhere")
    assert [who.is_signed_in() for who in (olga, phone, stolen, ada)] == [False] * 3 + [True]


def test_a_new_password_ends_all_other_sessions(site: AccountSite) -> None:
    olga = site.operator("Olga")
    phone, old = site.operator("Olga"), cookies_of(olga)
    new = "swims in the moonlight"
    answer = olga.submit("/account", "/account/password", present=PASSWORD, password=new, again=new)
    assert answer.status_code == 303, answer.text
    assert olga.is_signed_in()
    assert not phone.is_signed_in()
    assert not with_cookies(site, old).is_signed_in()
    assert site.person("Olga").sign_in().status_code == 401
    assert site.person("Olga").sign_in(new).status_code == 303


@pytest.mark.shares_sites
@pytest.mark.parametrize(
    ("present", "password", "again"),
    [
        ("wrong", "a new password", "a new password"),
        (PASSWORD, "a new password", "another one"),
        (PASSWORD, "short", "short"),
    ],
)
def test_a_password_is_changed_by_who_knows_it_and_can_write_the_new_one_twice(
    site: AccountSite, present: str, password: str, again: str
) -> None:
    olga = site.operator("Olga")
    answer = olga.submit(
        "/account", "/account/password", present=present, password=password, again=again
    )
    assert answer.status_code == 400
    assert site.person("Olga").sign_in().status_code == 303


def test_a_session_ends_after_its_days(site: AccountSite) -> None:
    olga = site.operator("Olga")
    with as_owner(site.browser.context.services) as connection:
        execute(connection, "UPDATE account_sessions SET expires_at = now() - interval '1 s'")
    assert not olga.is_signed_in()


def test_a_cookie_signed_with_another_sites_key_opens_nothing(
    site: AccountSite, make_account_site: Callable[..., AccountSite]
) -> None:
    olga = site.operator("Olga")
    app = olga.client.application
    serializer = app.session_interface.get_signing_serializer(app)  # type: ignore[attr-defined]
    [(name, cookie)] = cookies_of(olga).items()
    content = serializer.loads(cookie)
    other = make_account_site(secret_key="x" * 40)
    foreign = other.browser.client.application
    forged = foreign.session_interface.get_signing_serializer(foreign).dumps(content)  # type: ignore[attr-defined]
    assert with_cookies(site, {name: cookie}).is_signed_in()
    assert not with_cookies(site, {name: forged}).is_signed_in()
    unsigned = URLSafeTimedSerializer("").dumps(content)
    assert not with_cookies(site, {name: unsigned}).is_signed_in()


def test_the_database_holds_no_token_that_a_browser_could_show(site: AccountSite) -> None:
    olga = site.sign_up_operator("Olga")
    app = olga.client.application
    serializer = app.session_interface.get_signing_serializer(app)  # type: ignore[attr-defined]
    [cookie] = cookies_of(olga).values()
    token = serializer.loads(cookie)["_user_id"]
    with as_owner(site.browser.context.services) as connection:
        rows = fetch_rows(connection, "SELECT s::text FROM account_sessions s")
    assert len(rows) == 1
    assert token not in rows[0]["s"]
    assert token.encode().hex() not in rows[0]["s"]
