"""The account pages have a choice of language, and say what went wrong in it."""

from __future__ import annotations

import pytest

from tests.integration.web.accounts.conftest import AccountSite, Person

pytestmark = pytest.mark.shares_sites

GERMAN = {"Accept-Language": "de-CH,en;q=0.5"}


def choose(person: Person, page: str, language: str, **fields: str) -> str:
    """Where the browser is led, after the cookie was taken."""
    answer = person.submit(page, "/account/language", language=language, **fields)
    assert answer.status_code == 303
    return answer.headers["Location"]


def test_the_browsers_language_holds_until_the_reader_chooses_one(site: AccountSite) -> None:
    site.operator()
    eve = site.person("Eve")
    eve.headers = GERMAN
    page = eve.get("/account/sign-in?next=/c/x")
    assert '<html lang="de" dir="ltr">' in page.text
    assert 'name="next" value="/account/sign-in?next=/c/x"' in page.text
    assert "Accept-Language" in page.vary
    assert choose(eve, "/account/sign-in", "ar", next="/account/sign-in?next=/c/x") == (
        "/account/sign-in?next=/c/x"
    )
    assert '<html lang="ar" dir="rtl">' in eve.get("/account/sign-in").text
    cookie = eve.client.get_cookie("throughline-language")
    assert cookie is not None
    assert (cookie.value, cookie.path, cookie.http_only) == ("ar", "/", False)
    assert cookie.same_site == "Lax"


@pytest.mark.parametrize(
    "target", ["//evil.example", "https://evil.example/", "/\\evil.example", ""]
)
def test_the_choice_leads_to_no_other_site_and_takes_known_languages_alone(
    site: AccountSite, target: str
) -> None:
    eve = site.person("Eve")
    assert choose(eve, "/account/sign-in", "../../secret", next=target) == "/"
    assert eve.client.get_cookie("throughline-language") is None


def test_what_went_wrong_is_said_in_the_readers_language(site: AccountSite) -> None:
    olga = site.operator("Olga")
    eve = site.person("Eve")
    eve.headers = GERMAN
    refused = eve.sign_in("wrong password", next="/c/x")
    assert "Der Name oder das Passwort ist falsch." in refused.text
    assert 'name="next" value="/account/sign-in?next=%2Fc%2Fx"' in refused.text
    dead = eve.get("/account/sign-up?link=none")
    assert dead.status_code == 403
    assert "Dieser Link wurde schon verwendet oder ist abgelaufen." in dead.text
    olga.headers = GERMAN
    wrong = olga.submit("/account", "/account/name", name="x" * 65)
    assert "Ein Name hat 1 bis 64 Zeichen." in wrong.text
    assert 'name="next" value="/account"' in wrong.text  # a form's address cannot be opened
    unlike = olga.submit("/account", "/account/password", password="a", again="b", present="c")
    assert "Das ist nicht dein derzeitiges Passwort." in unlike.text
