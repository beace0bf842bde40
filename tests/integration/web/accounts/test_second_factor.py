"""TOTP and recovery codes."""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor

import pyotp
import pytest

from shared.db import fetch_rows
from tests.integration.web.accounts.conftest import PASSWORD, AccountSite, Person
from tests.services import as_owner
from tests.waiting import wait_for
from web.accounts.second_factor import STEP_S

LEFT_S = 10  # of a step: more than a test takes to show its code

_SECRET = re.compile(r'class="secret">([A-Z2-7]+)<')
_RECOVERY = re.compile(r"<code>([a-z2-7]{4}(?:-[a-z2-7]{4}){3})</code>")


def begin(person: Person) -> str:
    assert (
        person.submit("/account", "/account/second-factor/begin", present=PASSWORD).status_code
        == 303
    )
    page = person.get("/account/second-factor/new")
    assert "<svg" in page.text
    match = _SECRET.search(page.text)
    assert match
    return match[1]


def turn_on(person: Person) -> tuple[str, list[str]]:
    """The key and the recovery codes. The code that is used is of the step before this one."""
    secret = begin(person)
    answer = person.submit(
        "/account/second-factor/new", "/account/second-factor/on", code=code_of(secret, -1)
    )
    assert answer.status_code == 200, answer.text
    return secret, _RECOVERY.findall(answer.text)


def code_of(secret: str, steps: int = 0) -> str:
    """Not at the end of a step: a code is good in the next one, and no longer."""
    wait_for(lambda: time.time() % STEP_S < STEP_S - LEFT_S)
    return pyotp.TOTP(secret).at(time.time() + steps * STEP_S)


@pytest.fixture
def olga(site: AccountSite) -> Person:
    return site.operator("Olga")


def test_a_code_is_asked_for_after_the_password(site: AccountSite, olga: Person) -> None:
    secret, _ = turn_on(olga)
    phone = site.person("Olga")
    challenge = phone.sign_in(next="/c/some-chat")
    assert challenge.location == "/account/second-factor?next=/c/some-chat"
    assert not phone.is_signed_in()
    answer = phone.submit(challenge.location, code=code_of(secret), next="/c/some-chat")
    assert (answer.status_code, answer.location) == (303, "/c/some-chat")
    assert phone.is_signed_in()


def test_the_password_alone_opens_nothing(site: AccountSite, olga: Person) -> None:
    turn_on(olga)
    thief = site.person("Olga")
    thief.sign_in()
    for path in ("/account", "/account/people", "/api/v1/facts", "/"):
        assert thief.get(path).status_code in {303, 401}
    assert thief.submit("/account/second-factor", code="000000").status_code == 401
    assert not thief.is_signed_in()


def test_a_code_is_taken_once_also_from_two_at_once(site: AccountSite, olga: Person) -> None:
    secret, _ = turn_on(olga)
    people = [site.person("Olga") for _ in range(4)]
    for person in people:
        person.sign_in()
    code = code_of(secret)
    with ThreadPoolExecutor(4) as pool:
        answers = list(
            pool.map(lambda who: who.submit("/account/second-factor", code=code), people)
        )
    assert sorted(answer.status_code for answer in answers) == [303, 401, 401, 401]
    assert sum(person.is_signed_in() for person in people) == 1


def test_a_code_older_than_the_last_one_is_not_taken(site: AccountSite, olga: Person) -> None:
    secret, _ = turn_on(olga)
    old = code_of(secret, -1)
    phone = site.person("Olga")
    phone.sign_in()
    assert phone.submit("/account/second-factor", code=old).status_code == 401


def test_a_recovery_code_opens_the_account_once(site: AccountSite, olga: Person) -> None:
    _, codes = turn_on(olga)
    assert len(set(codes)) == 10
    phone = site.person("Olga")
    phone.sign_in()
    assert phone.submit("/account/second-factor", code=codes[0].upper()).status_code == 303
    again = site.person("Olga")
    again.sign_in()
    assert again.submit("/account/second-factor", code=codes[0]).status_code == 401
    assert "left: 9" in phone.get("/account").text


def test_guesses_at_codes_are_limited(site: AccountSite, olga: Person) -> None:
    turn_on(olga)
    thief = site.person("Olga")
    thief.sign_in()
    codes = [thief.submit("/account/second-factor", code=f"{n:06d}").status_code for n in range(11)]
    assert codes[-1] == 429
    assert set(codes[:-1]) <= {401, 429}


def test_what_waits_for_a_code_ends_when_all_is_signed_out(site: AccountSite, olga: Person) -> None:
    secret, _ = turn_on(olga)
    thief = site.person("Olga")
    thief.sign_in()
    page = thief.get("/account/second-factor").text
    olga.submit("/account", "/account/sign-out-everywhere")
    match = re.search(r'csrf_token" value="([^"]+)"', page)
    assert match
    answer = thief.post("/account/second-factor", csrf_token=match[1], code=code_of(secret))
    assert answer.location.startswith("/account/sign-in")
    assert not thief.is_signed_in()


def test_it_is_turned_on_by_its_first_code_alone(site: AccountSite, olga: Person) -> None:
    begin(olga)
    wrong = olga.submit("/account/second-factor/new", "/account/second-factor/on", code="000000")
    assert wrong.status_code == 400
    assert site.person("Olga").sign_in().location == "/"


def test_it_is_turned_off_with_the_password(site: AccountSite, olga: Person) -> None:
    turn_on(olga)
    path = "/account/second-factor/off"
    assert olga.submit("/account", path, present="wrong").status_code == 400
    assert olga.submit("/account", path, present=PASSWORD).status_code == 303
    assert site.person("Olga").sign_in().location == "/"


def test_a_second_factor_that_is_on_is_not_replaced_unasked(olga: Person) -> None:
    turn_on(olga)
    answer = olga.submit("/account", "/account/second-factor/begin", present=PASSWORD)
    assert answer.status_code == 403


def test_the_database_holds_neither_the_key_nor_a_code(site: AccountSite, olga: Person) -> None:
    secret, codes = turn_on(olga)
    with as_owner(site.browser.context.services) as connection:
        rows = fetch_rows(
            connection,
            "SELECT a::text AS text FROM accounts a UNION ALL SELECT r::text FROM recovery_codes r",
        )
    text = " ".join(row["text"] for row in rows)
    assert secret not in text
    assert not any(code in text or code.replace("-", "") in text for code in codes)


def test_an_operator_turns_it_off_for_who_has_lost_everything(
    site: AccountSite, olga: Person
) -> None:
    ada = site.user("Ada")
    turn_on(ada)
    olga.submit("/account/people", f"/account/people/{ada.user_id()}/second-factor-off")
    assert site.person("Ada").sign_in().location == "/"
