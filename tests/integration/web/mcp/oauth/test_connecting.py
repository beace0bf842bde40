"""A program connects: metadata, consent, tokens."""

from __future__ import annotations

import asyncio
import html
import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx2
import pytest
from mcp import Client
from mcp.client.auth import OAuthClientProvider, TokenStorage
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)
from pydantic import AnyUrl

from tests.integration.web.accounts.conftest import AccountSite, Person
from tests.integration.web.mcp.conftest import ThroughFlask
from tests.integration.web.mcp.oauth.conftest import BACK, Program, connect, consent, memory_of


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
    storage, pages = Storage(), []

    async def open_page(address: str) -> None:
        pages.append(address)

    async def wait_for_answer() -> AuthorizationCodeResult:
        def browse() -> dict[str, str]:
            parts = urlsplit(pages[-1])
            went_on = olga.get(f"{parts.path}?{parts.query}")
            return consent(olga, went_on.headers["Location"])

        callback = await asyncio.to_thread(browse)
        return AuthorizationCodeResult(
            code=callback["code"], state=callback["state"], iss=callback["iss"]
        )

    settings = site.browser.context.services.settings
    base = f"http://127.0.0.1:{settings.port}"
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
    [token] = olga.get("/api/v1/tokens").get_json()["tokens"]
    assert token["name"] == "Scribe"
    assert set(token["scopes"]) == {"memory:read", "memory:write"}


@pytest.mark.shares_sites
def test_a_program_without_a_token_is_told_where_to_get_one(
    site: AccountSite,
    olga: Person,
) -> None:
    client = site.browser.client.application.test_client()
    answer = client.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    assert answer.status_code == 401
    match = re.search(r'resource_metadata="([^"]+)"', answer.headers["WWW-Authenticate"])
    assert match
    resource = client.get(urlsplit(match[1]).path).get_json()
    assert match[1].endswith("/.well-known/oauth-protected-resource/mcp")
    [issuer] = resource["authorization_servers"]
    server = client.get("/.well-known/oauth-authorization-server").get_json()
    assert server["issuer"] == issuer
    assert server["code_challenge_methods_supported"] == ["S256"]


@pytest.mark.shares_sites
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


@pytest.mark.shares_sites
def test_a_name_that_is_markup_is_shown_as_text(olga: Person, program: Program) -> None:
    program.register(client_name="<script>alert(1)</script>")
    page = olga.get(program.authorize().headers["Location"]).text
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page


@pytest.mark.shares_sites
def test_a_user_may_refuse(olga: Person, program: Program) -> None:
    callback = consent(olga, program.authorize().headers["Location"], "deny")
    assert (callback["error"], callback["state"]) == ("access_denied", "its-own-state")
    assert "code" not in callback


@pytest.mark.shares_sites
def test_a_token_has_the_scopes_that_were_asked_for(
    site: AccountSite,
    olga: Person,
    program: Program,
) -> None:
    tokens = connect(program, olga, scope="memory:read")
    memory = memory_of(site, tokens["access_token"])
    assert memory.call("list_facts")["facts"] == []
    assert memory.fail("remember", text="Hello").endswith("(missing_scope)")


@pytest.mark.shares_sites
def test_a_consent_needs_the_users_own_form(olga: Person, program: Program) -> None:
    page = program.authorize().headers["Location"]
    sealed = dict(parse_qsl(urlsplit(page).query))["request"]
    assert olga.post("/account/connect", request=sealed, decision="allow").status_code == 400
    forged = olga.submit(page, "/account/connect", request=sealed + "x", decision="allow")
    assert forged.status_code == 400
