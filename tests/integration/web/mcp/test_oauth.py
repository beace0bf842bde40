"""OAuth: a program connects, keeps connected, and is kept out."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from flask.testing import FlaskClient
from mcp.client.auth import OAuthClientProvider, TokenStorage
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)
from pydantic import AnyUrl
from werkzeug.test import TestResponse

from tests.integration.web.accounts.conftest import (
    AccountSite,
    Person,
    make_account_site,
    site,
)
from tests.integration.web.mcp.conftest import Memory, ThroughFlask

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
        asked = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.back,
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            "state": "its-own-state",
        } | fields
        return self.http.get(f"/oauth/authorize?{urlencode(asked)}")

    def redeem(self, code: str, **fields: str) -> TestResponse:
        asked = {
            "grant_type": "authorization_code",
            "client_id": self.client_id,
            "code": code,
            "redirect_uri": self.back,
            "code_verifier": VERIFIER,
        } | fields
        return self.http.post("/oauth/token", data=asked)

    def refresh(self, token: str, **fields: str) -> TestResponse:
        asked = {"grant_type": "refresh_token", "client_id": self.client_id, "refresh_token": token}
        return self.http.post("/oauth/token", data=asked | fields)


def consent(person: Person, page: str, decision: str = "allow") -> dict[str, str]:
    """What the program is told when the person has decided."""
    shown = person.get(page)
    assert shown.status_code == 200, shown.text
    found = _SEALED.search(shown.text)
    assert found, shown.text
    answer = person.submit(page, "/account/connect", request=found[1], decision=decision)
    assert answer.status_code == 200, answer.text
    back = _ADDRESS.search(answer.text)
    assert back, answer.text
    return dict(parse_qsl(urlsplit(html.unescape(back[1])).query))


@pytest.fixture
def olga(site: AccountSite) -> Person:
    return site.operator()


@pytest.fixture
def program(site: AccountSite) -> Program:
    made = Program(site.browser.client.application.test_client())
    assert made.register().status_code == 201
    return made


def connect(program: Program, person: Person, **fields: str) -> Any:
    told = consent(person, program.authorize(**fields).headers["Location"])
    answer = program.redeem(told["code"])
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def memory_of(site: AccountSite, access: str) -> Memory:
    return Memory(site.browser, {"Authorization": f"Bearer {access}"})


def is_good(site: AccountSite, access: str) -> bool:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    answer = site.browser.client.application.test_client().post(
        "/mcp", json=asked, headers={"Authorization": f"Bearer {access}"}
    )
    return answer.status_code == 200


@dataclass
class Storage(TokenStorage):
    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None
    seen: list[str] = field(default_factory=list)

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


def test_the_sdks_client_connects_by_itself(site: AccountSite, olga: Person) -> None:
    """It finds the metadata, registers, sends the browser, and uses what it gets."""
    import asyncio

    import httpx2
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

    storage, pages = Storage(), []

    async def open_page(address: str) -> None:
        pages.append(address)

    async def wait_for_answer() -> AuthorizationCodeResult:
        def browse() -> dict[str, str]:
            parts = urlsplit(pages[-1])
            went_on = olga.get(f"{parts.path}?{parts.query}")
            return consent(olga, went_on.headers["Location"])

        told = await asyncio.to_thread(browse)
        return AuthorizationCodeResult(code=told["code"], state=told["state"], iss=told["iss"])

    own = site.browser.context.services.settings
    base = f"http://127.0.0.1:{own.port}"
    auth = OAuthClientProvider(
        server_url=f"{base}/mcp",
        client_metadata=OAuthClientMetadata(
            redirect_uris=[AnyUrl(BACK)], client_name="Scribe", token_endpoint_auth_method="none"
        ),
        storage=storage,
        redirect_handler=open_page,
        callback_handler=wait_for_answer,
    )

    async def use() -> Any:
        async with httpx2.AsyncClient(transport=ThroughFlask(olga.client), auth=auth) as http:
            transport = streamable_http_client(f"{base}/mcp", http_client=http)
            async with Client(transport) as client:
                return await client.call_tool("remember", {"text": "I live in Lisbon."})

    result = asyncio.run(use())
    assert not result.is_error, result
    assert storage.tokens is not None
    assert storage.tokens.refresh_token
    [token] = olga.get("/api/tokens").get_json()["tokens"]
    assert token["name"] == "Scribe"
    assert set(token["scopes"]) == {"memory:read", "memory:write"}


def test_a_program_without_a_token_is_told_where_to_get_one(
    site: AccountSite,
    olga: Person,
) -> None:
    client = site.browser.client.application.test_client()
    answer = client.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    assert answer.status_code == 401
    found = re.search(r'resource_metadata="([^"]+)"', answer.headers["WWW-Authenticate"])
    assert found
    resource = client.get(urlsplit(found[1]).path).get_json()
    assert found[1].endswith("/.well-known/oauth-protected-resource/mcp")
    [issuer] = resource["authorization_servers"]
    server = client.get("/.well-known/oauth-authorization-server").get_json()
    assert server["issuer"] == issuer
    assert server["code_challenge_methods_supported"] == ["S256"]


def test_the_consent_page_names_program_place_and_scopes(
    site: AccountSite,
    olga: Person,
    program: Program,
) -> None:
    page = program.authorize(scope="memory:read").headers["Location"]
    text = html.unescape(olga.get(page).text)
    assert "Scribe" in text
    assert "127.0.0.1:5555" in text
    assert "read what is remembered" in text
    assert "correct it and delete it" not in text
    assert site.person("Nobody").get(page).status_code == 303


def test_a_name_that_is_markup_is_shown_as_text(olga: Person, program: Program) -> None:
    program.register(client_name="<script>alert(1)</script>")
    shown = olga.get(program.authorize().headers["Location"]).text
    assert "<script>alert" not in shown
    assert "&lt;script&gt;" in shown


def test_a_user_may_refuse(olga: Person, program: Program) -> None:
    told = consent(olga, program.authorize().headers["Location"], "deny")
    assert (told["error"], told["state"]) == ("access_denied", "its-own-state")
    assert "code" not in told


def test_a_token_has_the_scopes_that_were_asked_for(
    site: AccountSite,
    olga: Person,
    program: Program,
) -> None:
    tokens = connect(program, olga, scope="memory:read")
    memory = memory_of(site, tokens["access_token"])
    assert memory.call("list_facts")["facts"] == []
    assert memory.fail("remember", text="Hello").endswith("(missing_scope)")


def test_a_refresh_replaces_both_tokens(
    site: AccountSite,
    olga: Person,
    program: Program,
) -> None:
    first = connect(program, olga)
    second = program.refresh(first["refresh_token"]).get_json()
    assert second["refresh_token"] != first["refresh_token"]
    assert not is_good(site, first["access_token"])
    assert is_good(site, second["access_token"])


def test_a_refresh_token_used_again_ends_the_grant(
    site: AccountSite,
    olga: Person,
    program: Program,
) -> None:
    first = connect(program, olga)
    second = program.refresh(first["refresh_token"]).get_json()
    assert program.refresh(first["refresh_token"]).get_json()["error"] == "invalid_grant"
    assert program.refresh(second["refresh_token"]).get_json()["error"] == "invalid_grant"
    assert not is_good(site, second["access_token"])


def test_a_code_used_again_ends_the_grant(
    site: AccountSite,
    olga: Person,
    program: Program,
) -> None:
    told = consent(olga, program.authorize().headers["Location"])
    tokens = program.redeem(told["code"]).get_json()
    assert program.redeem(told["code"]).get_json()["error"] == "invalid_grant"
    assert not is_good(site, tokens["access_token"])
    assert program.refresh(tokens["refresh_token"]).get_json()["error"] == "invalid_grant"


def test_a_token_that_is_revoked_on_the_page_is_not_renewed(
    site: AccountSite,
    olga: Person,
    program: Program,
) -> None:
    tokens = connect(program, olga)
    [shown] = olga.get("/api/tokens").get_json()["tokens"]
    assert olga.client.delete(f"/api/tokens/{shown['token_id']}").status_code == 204
    assert not is_good(site, tokens["access_token"])
    assert program.refresh(tokens["refresh_token"]).get_json()["error"] == "invalid_grant"


@pytest.mark.parametrize("kind", ["access_token", "refresh_token"])
def test_a_program_may_give_its_tokens_back(
    site: AccountSite,
    olga: Person,
    program: Program,
    kind: str,
) -> None:
    tokens = connect(program, olga)
    other = Program(program.http)
    other.register(client_name="Another")
    for who, is_over in ((other, False), (program, True)):
        body = {"client_id": who.client_id, "token": tokens[kind]}
        assert program.http.post("/oauth/revoke", data=body).status_code == 200
        assert is_good(site, tokens["access_token"]) is not is_over
    assert program.refresh(tokens["refresh_token"]).get_json()["error"] == "invalid_grant"
    log = olga.get("/api/audit").get_json()["events"]
    of_programs = [event for event in log if event["action"].startswith("program.")]
    assert [event["action"] for event in of_programs] == ["program.end", "program.allow"]
    assert {event["object"]["kind"] for event in of_programs} == {"program"}


@pytest.mark.parametrize(
    "fields",
    [
        {"code_verifier": "w" * 64},
        {"redirect_uri": "http://127.0.0.1:5555/other"},
        {"client_id": "another"},
        {"code": "made-up"},
    ],
)
def test_a_code_is_good_for_its_own_request_alone(
    olga: Person, program: Program, fields: dict[str, str]
) -> None:
    told = consent(olga, program.authorize().headers["Location"])
    answer = program.redeem(**{"code": told["code"]} | fields)
    assert answer.status_code in {400, 401}
    assert "access_token" not in answer.get_json()


def test_a_code_is_no_good_to_another_program(olga: Person, program: Program) -> None:
    told = consent(olga, program.authorize().headers["Location"])
    thief = Program(program.http)
    thief.register(client_name="Thief")
    assert thief.redeem(told["code"]).get_json()["error"] == "invalid_grant"


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


def test_a_consent_needs_the_users_own_form(olga: Person, program: Program) -> None:
    page = program.authorize().headers["Location"]
    sealed = dict(parse_qsl(urlsplit(page).query))["request"]
    assert olga.post("/account/connect", request=sealed, decision="allow").status_code == 400
    forged = olga.submit(page, "/account/connect", request=sealed + "x", decision="allow")
    assert forged.status_code == 400


@pytest.mark.parametrize("path", ["register", "token", "revoke", "authorize"])
def test_nonsense_is_refused(program: Program, path: str) -> None:
    for body in (b"", b"{", b"\xff", b"a=b&a=c", json.dumps({"a": [1]}).encode(), b"x" * 20_000):
        for kind in ("application/json", "application/x-www-form-urlencoded"):
            answer = program.http.post(f"/oauth/{path}", data=body, content_type=kind)
            assert 400 <= answer.status_code < 500, (path, body[:20], kind, answer.text)
