"""What a program may not do: send the browser elsewhere, ask for more, write nonsense."""

from __future__ import annotations

import json
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.integration.web.accounts.conftest import Person
from tests.integration.web.mcp.oauth.conftest import BACK, Program, connect

pytestmark = pytest.mark.shares_sites


@pytest.mark.parametrize(
    "uri",
    [
        "http://127.0.0.1:5555/other", "http://127.0.0.1:5555/callback/..",
        "http://127.0.0.1.evil.example:5555/callback", "http://evil.example/callback",
        "http://127.0.0.1:5555/callback?x=1", "https://127.0.0.1:5555/callback",
        "http://localhost:5555/callback", "http://user@127.0.0.1:5555/callback",
        "javascript:alert(1)",
    ],
)  # fmt: skip
def test_the_browser_is_sent_to_no_other_address(program: Program, uri: str) -> None:
    answer = program.authorize(redirect_uri=uri)
    assert answer.status_code == 400
    assert "Location" not in answer.headers


def test_a_local_program_may_listen_on_any_port(olga: Person, program: Program) -> None:
    program.back = "http://127.0.0.1:61234/callback"
    assert connect(program, olga)["access_token"]


@pytest.mark.parametrize(
    "uri",
    [
        "http://evil.example/callback", "javascript:alert(1)", "data:text/html,x", "file:///x",
        "https://user:word@evil.example/", "https://good.example/#part", "blob:https://x/",
        "https://good.example/" + "x" * 1000,
    ],
)  # fmt: skip
def test_some_addresses_cannot_be_registered(program: Program, uri: str) -> None:
    answer = program.register(redirect_uris=[uri])
    assert answer.status_code == 400
    assert answer.get_json()["error"] in {"invalid_redirect_uri", "invalid_client_metadata"}


@pytest.mark.parametrize("uri", ["cursor://anysphere/callback", "https://claude.ai/api/callback"])
def test_applications_and_sites_can_be_registered(olga: Person, program: Program, uri: str) -> None:
    program.back = uri
    assert program.register().status_code == 201
    assert connect(program, olga)["access_token"]


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"resource": "https://elsewhere.example/mcp"}, "invalid_target"),
        ({"scope": "operate"}, "invalid_scope"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge": ""}, None),
    ],
)
def test_a_request_that_is_wrong_goes_back_to_the_program(
    program: Program, fields: dict[str, str], error: str | None
) -> None:
    answer = program.authorize(**fields)
    if error is None:
        assert answer.status_code in {302, 400}
        return
    place = urlsplit(answer.headers["Location"])
    assert f"{place.scheme}://{place.netloc}{place.path}" == BACK
    assert dict(parse_qsl(place.query))["error"] == error


@pytest.mark.parametrize("path", ["register", "token", "revoke", "authorize"])
def test_nonsense_is_refused(program: Program, path: str) -> None:
    for body in (b"", b"{", b"\xff", b"a=b&a=c", json.dumps({"a": [1]}).encode(), b"x" * 20_000):
        for kind in ("application/json", "application/x-www-form-urlencoded"):
            answer = program.http.post(f"/oauth/{path}", data=body, content_type=kind)
            assert 400 <= answer.status_code < 500, (path, body[:20], kind, answer.text)
