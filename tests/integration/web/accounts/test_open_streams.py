"""Streams that are open when their session or token ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.integration.web.accounts.conftest import PASSWORD, AccountSite, Person, make_link

Ending = Callable[[AccountSite, Person, Person], object]


def open_stream(person: Person, **headers: str) -> tuple[TestResponse, Iterator[bytes]]:
    """A stream of events that has begun."""
    answer = person.client.get("/api/v1/events", headers=headers)
    assert answer.status_code == 200, answer.text
    pieces: Any = iter(answer.response)
    assert b"event: ready" in next(pieces)
    return answer, pieces


def rest_of(stream: tuple[TestResponse, Iterator[bytes]]) -> list[bytes]:
    """Blocks until the stream ends."""
    answer, pieces = stream
    rest = list(pieces)
    answer.close()
    return rest


def is_told_to_end(site: AccountSite, user_id: str) -> list[bool]:
    streams = site.browser.context.open_streams._open
    return [stream.is_over for stream in streams if stream.caller.user_id == user_id]


def sign_out_here(_: AccountSite, ada: Person, __: Person) -> None:
    assert ada.submit("/account", "/account/sign-out").status_code == 303


def sign_out_everywhere(site: AccountSite, ada: Person, _: Person) -> None:
    elsewhere = site.user("Ada")
    assert elsewhere.submit("/account", "/account/sign-out-everywhere").status_code == 303


def change_password(site: AccountSite, ada: Person, _: Person) -> None:
    elsewhere = site.user("Ada")
    new = "rows across the lake"
    fields = {"present": PASSWORD, "password": new, "again": new}
    assert elsewhere.submit("/account", "/account/password", **fields).status_code == 303


def use_reset_link(site: AccountSite, ada: Person, olga: Person) -> None:
    link = make_link(olga, f"/account/people/{ada.user_id()}/reset").rsplit("link=", maxsplit=1)[-1]
    new = "rows across the lake"
    fields = {"link": link, "password": new, "again": new}
    page = f"/account/reset?link={link}"
    assert site.person("").submit(page, **fields).status_code == 303


def disable(_: AccountSite, ada: Person, olga: Person) -> None:
    path = f"/account/people/{ada.user_id()}/disable"
    assert olga.submit("/account/people", path).status_code == 303


@pytest.mark.parametrize(
    "end", [sign_out_here, sign_out_everywhere, change_password, use_reset_link, disable]
)
def test_a_stream_ends_with_its_session(site: AccountSite, end: Ending) -> None:
    olga = site.operator()
    ada = site.user("Ada")
    ada_id, olga_id = ada.user_id(), olga.user_id()
    stream, others = open_stream(ada), open_stream(olga)
    site.browser.context.open_streams.check()
    assert is_told_to_end(site, ada_id) == [False]
    end(site, ada, olga)
    site.browser.context.open_streams.check()
    assert rest_of(stream) == []
    assert is_told_to_end(site, ada_id) == []  # it is watched no more
    assert is_told_to_end(site, olga_id) == [False]
    others[0].close()


def test_a_stream_ends_with_its_token_and_not_with_a_session(site: AccountSite) -> None:
    olga = site.operator()
    form = {"name": "a program", "scopes": ["memory:read"]}
    token = olga.client.post("/api/v1/tokens", json=form).get_json()
    stream = open_stream(site.person(""), Authorization=f"Bearer {token['token']}")
    olga.submit("/account", "/account/sign-out-everywhere")
    site.browser.context.open_streams.check()
    assert [follower.is_over for follower in site.browser.context.open_streams._open] == [False]
    olga = site.operator()
    assert olga.client.delete(f"/api/v1/tokens/{token['token_id']}").status_code == 204
    site.browser.context.open_streams.check()
    assert rest_of(stream) == []
