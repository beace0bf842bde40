"""A site with accounts, and people who use it with browsers of their own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import pytest
from argon2 import PasswordHasher
from flask import session
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from shared.store.accounts import people
from tests.integration.web.conftest import Browser, MakeBrowser
from web.accounts import passwords
from web.accounts.links import make_setup_link
from web.accounts.names import read_names
from web.accounts.passwords import hash_password
from web.accounts.random_tokens import make_account_id
from web.accounts.signed_in import sign_in
from web.process.context import transaction

PASSWORD = "walks on the moon"  # noqa: S105
_TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')
_LINK = re.compile(r'name="link"[^>]* value="([^"]+)"')


@dataclass
class Person:
    """Somebody's browser."""

    client: FlaskClient
    name: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    def get(self, path: str) -> TestResponse:
        return self.client.get(path, headers=self.headers)

    def post(self, path: str, **fields: str) -> TestResponse:
        """Without opening the form's page before."""
        return self.client.post(path, data=fields, headers=self.headers, buffered=True)

    def submit(self, page: str, path: str | None = None, **fields: str) -> TestResponse:
        """Open a page, fill in a form of it and send it to `path`, or to the page itself."""
        return self.post(path or urlsplit(page).path, csrf_token=self.token(page), **fields)

    def token(self, page: str) -> str:
        """What the page's forms show. A page of an error has none: then what another one shows."""
        answer = self.get(page)
        match = _TOKEN.search(answer.text) or _TOKEN.search(self.get("/account/sign-in").text)
        assert match, f"{page}: {answer.status_code} {answer.text[:500]}"
        return match[1]

    def sign_up(self, link: str, password: str = PASSWORD) -> TestResponse:
        fields = {"link": link.rsplit("link=", maxsplit=1)[-1]} if link else {}
        page = f"/account/sign-up?link={fields['link']}" if link else "/account/sign-up"
        return self.submit(page, name=self.name, password=password, again=password, **fields)

    def sign_in(self, password: str = PASSWORD, **fields: str) -> TestResponse:
        return self.submit("/account/sign-in", name=self.name, password=password, **fields)

    def is_signed_in(self) -> bool:
        return self.get("/api/v1/facts").status_code == 200

    def user_id(self) -> str:
        return str(self.get("/api/v1/status").get_json()["user_id"])


@dataclass
class AccountSite:
    browser: Browser

    def person(self, name: str, **headers: str) -> Person:
        return Person(self.browser.client.application.test_client(), name, headers)

    def setup_link(self) -> str:
        link = make_setup_link(self.browser.context.services)
        assert link is not None
        return link

    def sign_up_operator(self, name: str = "Olga") -> Person:
        """The first account, made as people do it."""
        olga = self.person(name)
        answer = olga.sign_up(self.setup_link())
        assert answer.status_code == 303, answer.text
        return olga

    def operator(self, name: str = "Olga") -> Person:
        """An operator who is signed in. On a shared site the account may be there already."""
        return self._sign_in(name, is_operator=True)

    def user(self, name: str) -> Person:
        return self._sign_in(name, is_operator=False)

    def _sign_in(self, name: str, *, is_operator: bool) -> Person:
        with self.browser.client.application.test_request_context():
            names = read_names(name)
            with transaction() as connection:
                people.add_account(
                    connection,
                    make_account_id(),
                    names,
                    hash_password(PASSWORD),
                    is_operator=is_operator,
                )
                account = people.find_named(connection, names[1])
            assert account is not None
            sign_in(account)
            content = dict(session)
        person = self.person(name)
        with person.client.session_transaction() as stored_session:
            stored_session.update(content)
        return person


def make_link(operator: Person, path: str = "/account/people/invite") -> str:
    """The link that an operator is shown."""
    answer = operator.submit("/account/people", path)
    match = _LINK.search(answer.text)
    assert match, answer.text
    return match[1].replace("&amp;", "&")


@pytest.fixture(autouse=True)
def _quick_hashes(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """A hash of the product takes a tenth of a second of CPU, by intention."""
    if request.node.get_closest_marker("real_hashes") is None:
        quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        monkeypatch.setattr(passwords, "_hasher", quick)
    passwords._nobodys_hash.cache_clear()
    yield
    passwords._nobodys_hash.cache_clear()


@pytest.fixture
def make_account_site(make_browser: MakeBrowser) -> Callable[..., AccountSite]:
    def make(**settings: object) -> AccountSite:
        return AccountSite(make_browser(**({"auth_mode": "password"} | settings)))

    return make


@pytest.fixture
def site(make_account_site: Callable[..., AccountSite]) -> AccountSite:
    return make_account_site()
