"""A site with accounts, and a program that asks for a user's memory."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.integration.web.accounts.conftest import AccountSite, Person, make_account_site, site
from tests.integration.web.mcp.conftest import Memory

__all__ = ["make_account_site", "site"]

BACK = "http://127.0.0.1:5555/callback"
VERIFIER = "v" * 64
CHALLENGE = (
    base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
)
_SEALED = re.compile(r'name="request" value="([^"]+)"')
_ADDRESS = re.compile(r'url=([^"]+)"')


@dataclass
class Program:
    """A client that speaks the protocol by hand, so that it can do what a good one would not."""

    http: FlaskClient
    client_id: str = ""
    back: str = BACK

    def register(self, **fields: object) -> TestResponse:
        body = {"redirect_uris": [self.back], "client_name": "Scribe"} | fields
        answer = self.http.post("/oauth/register", json=body)
        if answer.status_code == 201:
            self.client_id = answer.get_json()["client_id"]
        return answer

    def authorize(self, **fields: str) -> TestResponse:
        query = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.back,
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            "state": "its-own-state",
        } | fields
        return self.http.get(f"/oauth/authorize?{urlencode(query)}")

    def redeem(self, code: str, **fields: str) -> TestResponse:
        form = {
            "grant_type": "authorization_code",
            "client_id": self.client_id,
            "code": code,
            "redirect_uri": self.back,
            "code_verifier": VERIFIER,
        } | fields
        return self.http.post("/oauth/token", data=form)

    def refresh(self, token: str, **fields: str) -> TestResponse:
        form = {"grant_type": "refresh_token", "client_id": self.client_id, "refresh_token": token}
        return self.http.post("/oauth/token", data=form | fields)


def consent(person: Person, page: str, decision: str = "allow") -> dict[str, str]:
    """What the program is told when the person has decided."""
    consent_page = person.get(page)
    assert consent_page.status_code == 200, consent_page.text
    match = _SEALED.search(consent_page.text)
    assert match, consent_page.text
    answer = person.submit(page, "/account/connect", request=match[1], decision=decision)
    assert answer.status_code == 200, answer.text
    back = _ADDRESS.search(answer.text)
    assert back, answer.text
    return dict(parse_qsl(urlsplit(html.unescape(back[1])).query))


@pytest.fixture
def olga(site: AccountSite) -> Person:
    return site.operator()


@pytest.fixture
def program(site: AccountSite) -> Program:
    new_program = Program(site.browser.client.application.test_client())
    assert new_program.register().status_code == 201
    return new_program


def connect(program: Program, person: Person, **fields: str) -> Any:
    callback = consent(person, program.authorize(**fields).headers["Location"])
    answer = program.redeem(callback["code"])
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def memory_of(site: AccountSite, access: str) -> Memory:
    return Memory(site.browser, {"Authorization": f"Bearer {access}"})


def is_good(site: AccountSite, access: str) -> bool:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    answer = site.browser.client.application.test_client().post(
        "/mcp", json=call, headers={"Authorization": f"Bearer {access}"}
    )
    return answer.status_code == 200
