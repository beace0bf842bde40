"""What a new password, and signing out everywhere, end: all that somebody else could hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from shared.db import fetch_rows
from shared.models import UserId
from tests.integration.web.accounts.conftest import PASSWORD, AccountSite, Person, make_link
from tests.integration.web.mcp.oauth.conftest import Program, connect, is_good
from tests.services import as_owner
from web.accounts.links import make_reset

NEW = "swims in the moonlight"
PASSWORDS = {"password": NEW, "again": NEW}


@dataclass
class Held:
    """What others hold of Olga's account, beside her own browser."""

    phone: Person
    link: str
    program: Program
    granted: Any
    script: str

    def open_doors(self, site: AccountSite) -> list[str]:
        """The names of what still opens the account."""
        refreshed = self.program.refresh(self.granted["refresh_token"])
        answer = site.person("").get(_path_of(self.link))
        doors = {
            "session": self.phone.is_signed_in(),
            "link": answer.status_code == 200,
            "access": is_good(site, self.granted["access_token"]),
            "refresh": refreshed.status_code == 200,
            "script": is_good(site, self.script),
        }
        return [name for name, is_open in doors.items() if is_open]


def by_settings(site: AccountSite, olga: Person, **answer: str) -> None:
    answered = olga.submit("/account", "/account/password", present=PASSWORD, **PASSWORDS, **answer)
    assert answered.status_code == 303, answered.text
    assert olga.is_signed_in()


def by_reset(site: AccountSite, olga: Person, **answer: str) -> None:
    """With a link that an operator has just made, which replaces the one before."""
    link = make_reset(site.browser.context.services, UserId(olga.user_id()))
    _use(site, link, NEW, **answer)
    assert not olga.is_signed_in()


def by_everywhere(site: AccountSite, olga: Person, **answer: str) -> None:
    olga.submit("/account", "/account/sign-out-everywhere", **answer)
    assert not olga.is_signed_in()


WAYS = [by_settings, by_reset, by_everywhere]


@pytest.mark.parametrize("act", WAYS)
def test_nothing_that_others_hold_opens_the_account_but_tokens_that_are_to_stay(
    site: AccountSite, act: Callable[..., None]
) -> None:
    olga = site.operator("Olga")
    access = hold(site, olga)
    with site.browser.client.application.app_context():
        act(site, olga)
    assert access.open_doors(site) == ["script"]


@pytest.mark.parametrize("act", WAYS)
def test_api_tokens_go_where_their_user_says_so(
    site: AccountSite, act: Callable[..., None]
) -> None:
    olga = site.operator("Olga")
    access = hold(site, olga)
    with site.browser.client.application.app_context():
        act(site, olga, tokens="revoke")
    assert access.open_doors(site) == []
    with as_owner(site.browser.context.services) as connection:
        rows = fetch_rows(connection, "SELECT action FROM audit_events ORDER BY event_id DESC")
    assert {"token.revoke", "program.end"} <= {row["action"] for row in rows}


def test_nobody_else_is_signed_out_or_loses_a_link(site: AccountSite) -> None:
    olga, ada = site.operator("Olga"), site.user("Ada")
    access = hold(site, ada)
    by_settings(site, olga, tokens="revoke")
    assert access.open_doors(site) == ["session", "link", "refresh", "script"]


def test_an_old_link_sets_no_password_after_signing_out_everywhere(site: AccountSite) -> None:
    olga = site.operator("Olga")
    link = _reset_of(site, olga)
    olga.submit("/account", "/account/sign-out-everywhere")
    thief = site.person("")
    token = thief.token("/account/sign-in")
    answer = thief.post(
        "/account/reset", link=link.rpartition("link=")[2], csrf_token=token, **PASSWORDS
    )
    assert answer.status_code == 403
    assert site.person("Olga").sign_in().status_code == 303


def test_a_link_of_a_disabled_account_is_none_any_more(site: AccountSite) -> None:
    olga, ada = site.operator("Olga"), site.user("Ada")
    account_id = ada.user_id()
    link = make_link(olga, f"/account/people/{account_id}/reset")
    for act in ("disable", "enable"):
        olga.submit("/account/people", f"/account/people/{account_id}/{act}")
    assert site.person("").get(_path_of(link)).status_code == 403


def test_the_pages_ask_about_tokens_and_name_them_to_their_user_alone(site: AccountSite) -> None:
    olga = site.operator("Olga")
    assert "API token" not in olga.get("/account").text
    access = hold(site, olga)
    page = olga.get("/account").text
    assert page.count("My script") == 2  # at the password, and at signing out everywhere
    assert "A program" not in page
    reset_page = site.person("").get(_path_of(access.link)).text
    assert 'name="tokens" value="revoke"' in reset_page
    assert "My script" not in reset_page


def hold(site: AccountSite, owner: Person) -> Held:
    program = Program(site.browser.client.application.test_client())
    assert program.register(client_name="A program").status_code == 201
    granted = connect(program, owner)
    form = {"name": "My script", "scopes": ["memory:read"]}
    script = owner.client.post("/api/v1/tokens", json=form).get_json()["token"]
    phone = site.operator("Olga") if owner.name == "Olga" else site.user(owner.name)
    return Held(
        phone=phone,
        link=_reset_of(site, owner),
        program=program,
        granted=granted,
        script=script,
    )


def _reset_of(site: AccountSite, owner: Person) -> str:
    with site.browser.client.application.app_context():
        return make_reset(site.browser.context.services, UserId(owner.user_id()))


def _use(site: AccountSite, link: str, password: str, **answer: str) -> None:
    stranger = site.person("")
    token = link.rpartition("link=")[2]
    answered = stranger.submit(
        _path_of(link), link=token, password=password, again=password, **answer
    )
    assert answered.status_code == 303, answered.text


def _path_of(link: str) -> str:
    return "/account/" + link.rpartition("/account/")[2]
