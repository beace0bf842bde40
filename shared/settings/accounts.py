"""Accounts, sign-in at a provider, and the program for MCP."""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator

from shared.settings.types import LOOPBACK, Group, OutgoingUrl, Positive

SHORTEST_SECRET = 32  # characters


class AccountSettings(Group):
    # Accounts of the site, with AUTH_MODE password and oidc
    public_url: str = ""  # where browsers find the site, such as https://chat.example.org
    secret_key: SecretStr = SecretStr("")  # empty: made at the first start
    sign_up: Literal["open", "invite", "closed"] = "invite"
    session_days: Annotated[int, Field(gt=0, le=365)] = 30
    link_hours: Annotated[int, Field(gt=0, le=24 * 365)] = 72  # of invitations and resets
    sign_in_attempts_per_name: Positive = 10  # in a quarter of an hour
    sign_in_attempts_per_address: Positive = 60

    # OpenID Connect
    oidc_issuer: OutgoingUrl = ""
    oidc_client_id: str = ""
    oidc_client_secret: SecretStr = SecretStr("")
    oidc_scopes: str = "openid profile"
    oidc_operator_claim: str = ""  # "groups=admins": whose claim `groups` is or has `admins`

    # `python -m web.mcp`
    mcp_site: str = ""  # empty: the site of this machine
    mcp_token: SecretStr = SecretStr("")

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

    @field_validator("mcp_site")
    @classmethod
    def _check_site(cls, url: str) -> str:
        parts = urlsplit(url)
        if url and not (parts.scheme == "https" or parts.hostname in LOOPBACK):
            raise ValueError("must begin with https://, or the token could be read on its way")
        return url.rstrip("/")
