"""Accounts, sign-in at a provider, and the program for MCP."""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import SecretStr, field_validator

from shared.settings.processes import ASK_MODELS, WEB, ForProcesses
from shared.settings.types import Group, OutgoingUrl

SHORTEST_SECRET = 32  # characters


class AccountSettings(Group):
    # Accounts of the site, with AUTH_MODE password and oidc
    public_url: str = ""  # where browsers find the site, such as https://chat.example.org
    # empty: made at the first start
    secret_key: Annotated[SecretStr, ForProcesses(ASK_MODELS | {"worker-backup"})] = SecretStr("")
    sign_up: Literal["open", "invite", "closed"] = "invite"

    # OpenID Connect
    oidc_issuer: OutgoingUrl = ""
    oidc_client_id: str = ""
    oidc_client_secret: Annotated[SecretStr, ForProcesses(WEB)] = SecretStr("")
    oidc_scopes: str = "openid profile"
    oidc_operator_claim: str = ""  # "groups=admins": whose claim `groups` is or has `admins`

    # of `python -m web.mcp`, which a client starts
    mcp_token: Annotated[SecretStr, ForProcesses()] = SecretStr("")

    @field_validator("public_url", "oidc_issuer")
    @classmethod
    def _check_web_address(cls, url: str) -> str:
        parts = urlsplit(url)
        if url and (parts.scheme not in {"http", "https"} or not parts.netloc or parts.query):
            raise ValueError("must begin with https:// (or http://) and a host")
        return url.rstrip("/") if url else url

    @field_validator("secret_key")
    @classmethod
    def _check_secret_key(cls, value: SecretStr) -> SecretStr:
        if 0 < len(value.get_secret_value()) < SHORTEST_SECRET:
            raise ValueError(f"use at least {SHORTEST_SECRET} characters: openssl rand -hex 32")
        return value
