"""Signing in and out, and what is told to whoever guesses."""

from __future__ import annotations

import re
from collections.abc import Callable
from unittest.mock import Mock
from urllib.parse import urljoin, urlsplit

import pytest
from argon2 import PasswordHasher

from shared.db import fetch_row
from shared.errors import DatabaseUnavailableError
from shared.models import UserId
from shared.store.accounts import people
from tests.integration.web.accounts.conftest import PASSWORD, AccountSite
from tests.refusals import code_of
from tests.services import as_owner
from tests.waiting import wait_for
from web.accounts.attempts import (
    SIGN_IN_ATTEMPTS_PER_ADDRESS,
    SIGN_IN_ATTEMPTS_PER_NAME,
    count_by_address,
)
from web.accounts.passwords import is_password
from web.app import OPEN_ENDPOINTS

HERE = "http://localhost"
ELSEWHERE = [
    "//evil.example", "https://evil.example/", "/\\evil.example", "\\\\evil.example",
    "/\t/evil.example", "javascript:alert(1)", "///evil.example", "http:evil.example",
    "/\n/evil.example", "evil.example",
]  # fmt: skip


@pytest.mark.shares_sites
def test_pages_lead_to_the_sign_in_and_back(site: AccountSite) -> None:
    site.operator("Olga")
    olga = site.person("olga")
    answer = olga.get("/c/00000000-0000-4000-8000-000000000000?a=b")
    assert answer.status_code == 303
    assert answer.location.startswith("/account/sign-in?next=")
    back = olga.sign_in(next="/c/some-chat")
    assert (back.status_code, back.location) == (303, "/c/some-chat")
    assert olga.get("/").status_code == 200


@pytest.mark.shares_sites
def test_programs_are_told_that_nobody_is_signed_in(site: AccountSite) -> None:
    site.operator()
    answer = site.person("").get("/api/v1/facts")
    assert answer.status_code == 401
    assert code_of(answer) == "not_signed_in"


@pytest.mark.shares_sites
def test_nothing_but_the_doors_is_open_to_strangers(site: AccountSite) -> None:
    site.operator()
    stranger = site.person("").client
    for rule in stranger.application.url_map.iter_rules():
        if rule.endpoint in OPEN_ENDPOINTS:
            continue
        path = re.sub(r"<bigint[^>]+>|<int[^>]+>", "1", rule.rule)
        path = re.sub(r"<[^>]+>", "00000000-0000-4000-8000-000000000000", path)
        for method in (rule.methods or set()) - {"OPTIONS", "HEAD"}:
            answer = stranger.open(path, method=method, json={} if method != "GET" else None)
            assert answer.status_code in {303, 400, 401, 415}, (
                f"{method} {rule} {answer.status_code}"
            )
            assert "sign-in" in answer.location if answer.location else True


def test_odd_names_and_passwords_are_wrong_ones(site: AccountSite) -> None:
    site.operator("Olga")
    for odd in ("\0", "Olga\0", "\udcff", "Olga\u200b", "'; DROP TABLE accounts; --", "x" * 9000):
        text = odd.encode("utf-8", "surrogatepass").decode("latin-1")
        assert site.person(text).sign_in().status_code == 401, repr(odd)
        assert site.person("Olga").sign_in(password=text).status_code == 401, repr(odd)


def test_a_refusal_that_cannot_be_recorded_is_told_in_the_log(
    site: AccountSite, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    site.operator("Olga")
    fault = Mock(side_effect=DatabaseUnavailableError)
    monkeypatch.setattr("web.accounts.authentication.record", fault)
    assert site.person("Olga").sign_in("a wrong password").status_code == 401
    wait_for(lambda: any(line.message == "audit.not_recorded" for line in caplog.records))


@pytest.mark.shares_sites
@pytest.mark.parametrize("header", ["X-Forwarded-User", "X-Remote-User", "Remote-User"])
def test_a_header_signs_nobody_in(
    make_account_site: Callable[..., AccountSite], header: str
) -> None:
    """Not even from an address that is trusted for other headers."""
    site = make_account_site(trusted_proxies=("127.0.0.1",), operators=("Olga",))
    olga = site.operator("Olga")
    for name in ("Olga", olga.user_id(), "local"):
        assert not site.person("", **{header: name}).is_signed_in()


def test_a_wrong_password_and_an_unknown_name_get_the_same_answer(site: AccountSite) -> None:
    olga = site.operator("Olga")
    ada = site.user("Ada")
    olga.submit("/account/people", f"/account/people/{ada.user_id()}/disable")
    answers = []
    for name, password in (("Olga", "wrong password"), ("Nobody", PASSWORD), ("Ada", PASSWORD)):
        answer = site.person(name).sign_in(password)
        text = re.sub(r'csrf_token" value="[^"]+"|value="(Olga|Nobody|Ada)"', "", answer.text)
        answers.append((answer.status_code, text))
    assert answers[0][0] == 401
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.real_hashes
def test_an_unknown_name_costs_as_much_work_as_a_known_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One verification with today's parameters, whoever is named."""
    verified: list[str] = []
    verify = PasswordHasher.verify

    def record(self: PasswordHasher, hashed: str, password: bytes) -> bool:
        verified.append(hashed.rsplit("$", 2)[0])
        return verify(self, hashed, password)

    monkeypatch.setattr(PasswordHasher, "verify", record)
    assert is_password(PASSWORD, PasswordHasher().hash(PASSWORD))
    assert not is_password(PASSWORD, None)
    assert verified[0] == verified[1]


@pytest.mark.real_hashes
def test_a_hash_of_old_parameters_is_renewed_at_the_next_sign_in(site: AccountSite) -> None:
    olga = site.operator("Olga")
    old = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
    database = site.browser.context.services.database
    with database.transaction() as connection:
        people.set_password(connection, people_id(site, "olga"), old)
    assert site.person("Olga").sign_in().status_code == 303
    with database.transaction() as connection:
        row = fetch_row(connection, "SELECT password_hash FROM accounts")
    assert row is not None
    assert row["password_hash"] != old
    assert not PasswordHasher().check_needs_rehash(row["password_hash"])
    assert site.person("Olga").sign_in().status_code == 303
    assert olga.is_signed_in()


def people_id(site: AccountSite, name_key: str) -> UserId:
    with as_owner(site.browser.context.services) as connection:
        account = people.find_named(connection, name_key)
    assert account is not None
    return account.account_id


@pytest.mark.shares_sites
@pytest.mark.parametrize("target", ELSEWHERE)
def test_nobody_is_sent_to_another_site(
    make_account_site: Callable[..., AccountSite], target: str
) -> None:
    site = make_account_site(trusted_proxies=("127.0.0.1",))
    number = ELSEWHERE.index(
        target
    )  # each has its own name and address: no attempt is one too many
    site.operator(f"Olga {number}")
    olga = site.person(f"Olga {number}", **{"X-Forwarded-For": f"203.0.113.{number}"})
    answer = olga.sign_in(next=target)
    assert answer.status_code == 303
    assert urlsplit(urljoin(f"{HERE}/", answer.location.replace("\\", "/"))).netloc == "localhost"


def attempt(site: AccountSite, count: int, **headers: str) -> None:
    """So many attempts from one address, without the work of hashing."""
    with site.browser.client.application.test_request_context(
        headers=headers, environ_base={"REMOTE_ADDR": "127.0.0.1"}
    ):
        for _ in range(count):
            count_by_address()


def test_guesses_at_one_name_are_limited_from_however_many_addresses(
    make_account_site: Callable[..., AccountSite],
) -> None:
    site = make_account_site(trusted_proxies=("127.0.0.1",))
    site.operator("Olga")
    most = SIGN_IN_ATTEMPTS_PER_NAME
    codes = [
        site.person("OLGA"[:n] + "olga"[n:], **{"X-Forwarded-For": f"198.51.100.{n}"})
        .sign_in("guess number one")
        .status_code
        for n in range(most)
    ]
    assert codes == [401] * most
    late = site.person("Olga", **{"X-Forwarded-For": "203.0.113.9"}).sign_in()
    assert late.status_code == 429
    assert 0 < int(late.headers["Retry-After"]) <= 900
    nobody = site.person("Nobody")
    assert [nobody.sign_in("guess").status_code for _ in range(most + 1)] == [401] * most + [429]


def test_guesses_from_one_address_are_limited_at_however_many_names(
    make_account_site: Callable[..., AccountSite],
) -> None:
    site = make_account_site(trusted_proxies=("127.0.0.1",))
    address = {"X-Forwarded-For": "198.51.100.7"}
    attempt(site, SIGN_IN_ATTEMPTS_PER_ADDRESS - 3, **address)
    site.operator("Olga")
    codes = [site.person(f"name{n}", **address).sign_in("guess").status_code for n in range(3)]
    assert codes == [401] * 3
    assert site.person("Olga", **address).sign_in().status_code == 429
    invented = {"X-Forwarded-For": "10.9.9.9, 198.51.100.7"}
    assert site.person("Olga", **invented).sign_in().status_code == 429
    assert site.person("Olga", **{"X-Forwarded-For": "198.51.100.8"}).sign_in().status_code == 303


def test_an_invented_address_counts_for_nothing_without_a_trusted_proxy(
    make_account_site: Callable[..., AccountSite],
) -> None:
    site = make_account_site()
    attempt(site, SIGN_IN_ATTEMPTS_PER_ADDRESS - 5)
    site.sign_up_operator("Olga")  # it counts, too
    codes = [
        site.person(f"name{n}", **{"X-Forwarded-For": f"198.51.100.{n}"})
        .sign_in("guess")
        .status_code
        for n in range(6)
    ]
    assert codes == [401] * 4 + [429] * 2


def test_attempts_are_limited_without_redis_too(
    make_account_site: Callable[..., AccountSite],
) -> None:
    site = make_account_site(redis_url="redis://127.0.0.1:1")
    site.operator("Olga")
    ada, most = site.person("Ada"), SIGN_IN_ATTEMPTS_PER_NAME
    assert [ada.sign_in("guess").status_code for _ in range(most + 1)] == [401] * most + [429]
