"""How accounts are made: the first by whoever started the site, others as SIGN_UP says."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import Mock

import pytest

from shared.errors import DatabaseUnavailableError
from tests.integration.web.accounts.conftest import PASSWORD, AccountSite, Person, make_link
from web.accounts.links import announce_setup


def test_the_first_account_is_the_operators(site: AccountSite) -> None:
    olga = site.sign_up_operator()
    assert olga.is_signed_in()
    assert olga.user_id().startswith("acct_")
    assert olga.get("/operations").status_code == 200
    ada = site.person("Ada")
    assert ada.sign_up(make_link(olga)).status_code == 303
    assert ada.is_signed_in()
    assert ada.get("/operations").status_code == 403
    assert ada.get("/account/people").status_code == 403


@pytest.mark.parametrize("sign_up", ["open", "invite", "closed"])
def test_a_fresh_site_gives_nothing_to_whoever_comes_first(
    make_account_site: Callable[..., AccountSite], sign_up: str
) -> None:
    site = make_account_site(sign_up=sign_up)
    eve = site.person("Eve")
    answer = eve.get("/account/sign-up")
    assert answer.status_code == 403
    assert "setup-link" in answer.text
    answer = eve.submit(
        "/account/sign-in", "/account/sign-up", name="Eve", password=PASSWORD, again=PASSWORD
    )
    assert answer.status_code == 403
    assert not eve.is_signed_in()
    assert site.sign_up_operator().is_signed_in()


def test_setup_links_are_worth_nothing_once_there_is_an_account(site: AccountSite) -> None:
    first, second = site.setup_link(), site.setup_link()
    assert site.person("Olga").sign_up(first).status_code == 303
    token = second.split("link=")[-1]
    assert site.person("Eve").get(f"/account/sign-up?link={token}").status_code == 403


def test_a_start_tells_the_setup_link_though_the_database_goes_away_meanwhile(
    site: AccountSite, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    away = Mock(side_effect=[DatabaseUnavailableError, site.setup_link()])
    monkeypatch.setattr("web.accounts.links.make_setup_link", away)
    monkeypatch.setattr("web.accounts.links.PATIENCE_S", 0.0)
    announce_setup(site.browser.context)
    records = [record for record in caplog.records if record.message == "accounts.none_yet"]
    assert len(records) == 1
    assert away.call_count == 2


def test_of_many_first_accounts_at_once_one_is_made(site: AccountSite) -> None:
    links = [site.setup_link() for _ in range(4)]
    people = [site.person(f"Person {number}") for number in range(4)]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(Person.sign_up, people, links))
    assert sorted(answer.status_code for answer in answers) == [303] + [403] * 3
    assert sum(person.is_signed_in() for person in people) == 1


def test_an_invitation_makes_one_account_even_if_two_use_it_at_once(site: AccountSite) -> None:
    link = make_link(site.operator())
    people = [site.person(f"Guest {number}") for number in range(4)]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda person: person.sign_up(link), people))
    assert sorted(answer.status_code for answer in answers) == [303] + [403] * 3


def test_a_taken_name_leaves_the_invitation_good(site: AccountSite) -> None:
    link = make_link(site.operator("Olga"))
    assert site.person("OLGA").sign_up(link).status_code == 409
    assert site.person("Ada").sign_up(link).status_code == 303


def test_sign_up_is_open_to_all_where_that_is_set(
    make_account_site: Callable[..., AccountSite],
) -> None:
    site = make_account_site(sign_up="open")
    site.operator()
    assert site.person("Ada").sign_up("").status_code == 303


def test_closed_means_that_not_even_an_invitation_helps(
    make_account_site: Callable[..., AccountSite],
) -> None:
    site = make_account_site(sign_up="closed")
    olga = site.operator()
    token = make_link(olga).split("link=")[-1]
    assert site.person("Ada").get(f"/account/sign-up?link={token}").status_code == 403


@pytest.mark.shares_sites
@pytest.mark.parametrize(
    "name", ["ｏｌｇａ", "OLGA", " olga ", "Olga\u200b", "Оlga", "", "a" * 65, "\u3164", "x\x00y"]
)
def test_nobody_takes_a_name_that_reads_like_anothers(site: AccountSite, name: str) -> None:
    link = make_link(site.operator("Olga"))
    assert site.person(name).sign_up(link).status_code in {400, 409}


@pytest.mark.shares_sites
@pytest.mark.parametrize(
    "password",
    ["short", "1234567890", "aaaaaaaaaaaa", "with\x00a NUL in it", "x" * 257, "Ada Lovelace"],
)
def test_weak_and_odd_passwords_are_refused_with_a_reason(site: AccountSite, password: str) -> None:
    link = make_link(site.operator())
    answer = site.person("Ada Lovelace").sign_up(link, password)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert password not in answer.text or password == "Ada Lovelace"  # noqa: S105


@pytest.mark.shares_sites
def test_a_password_of_a_megabyte_is_refused_before_it_is_read(site: AccountSite) -> None:
    site.operator()
    answer = site.person("Olga").sign_in("x" * 1_000_000)
    assert answer.status_code == 413


def test_passwords_may_hold_emoji_and_are_the_same_in_every_form_of_unicode(
    site: AccountSite,
) -> None:
    link = make_link(site.operator())
    assert site.person("Zoé").sign_up(link, "café 🌙🌙🌙 café").status_code == 303
    again = site.person("Zoe\u0301")
    assert again.sign_in("cafe\u0301 🌙🌙🌙 cafe\u0301").status_code == 303
    assert again.is_signed_in()
