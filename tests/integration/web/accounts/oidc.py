"""Sites where a provider signs people in, and the way there and back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from tests.fakes.oidc_server import CLIENT_ID, FakeProvider, running_provider
from tests.integration.web.accounts.conftest import AccountSite, Person

HERE = "http://localhost"

MakeSite = Callable[..., AccountSite]


@pytest.fixture
def liar() -> Iterator[FakeProvider]:
    with running_provider() as provider:
        yield provider


def make_site(make: MakeSite, issuer: str, **settings: object) -> AccountSite:
    defaults = {
        "auth_mode": "oidc",
        "oidc_issuer": issuer,
        "oidc_client_id": CLIENT_ID,
        "public_url": HERE,
    }
    return make(**(defaults | settings))


def begin(person: Person, to: str = "/") -> dict[str, str]:
    """Set out for the provider. Returns what the browser brings to it."""
    answer = person.get(f"/account/oidc/start?next={to}")
    assert answer.status_code == 302, answer.text
    query = parse_qs(urlsplit(answer.location).query)
    return {name: values[0] for name, values in query.items()} | {"": answer.location}


def sign_in_at(person: Person, subject: str, to: str = "/") -> Any:
    """Sign in at the real provider and come back."""
    address = begin(person, to)[""]
    there = httpx.post(address, data={"sub": subject}, timeout=60)
    assert there.status_code == 302, there.text
    back = urlsplit(there.headers["Location"])
    return person.get(f"{back.path}?{back.query}")


def come_back(person: Person, provider: FakeProvider, **changed: str) -> Any:
    request = begin(person)
    provider.nonce = request["nonce"]
    query = {"code": "a-code", "state": request["state"]} | changed
    return person.get("/account/oidc/callback?" + "&".join(f"{k}={v}" for k, v in query.items()))
