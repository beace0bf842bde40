"""What the account pages use besides the services: made once in each process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cryptography.fernet import Fernet
from flask import current_app
from flask_wtf import CSRFProtect

from shared.settings import Settings
from web.process.context import web_context

if TYPE_CHECKING:
    from web.accounts.oidc import Provider


@dataclass(frozen=True, kw_only=True)
class AccountContext:
    csrf: CSRFProtect
    #: Encrypts the keys of second factors, so that a copy of the database does not contain them.
    cipher: Fernet
    #: Who signs people in with AUTH_MODE=oidc.
    provider: Provider | None


def account_context() -> AccountContext:
    context: AccountContext = current_app.extensions["accounts"]
    return context


def settings() -> Settings:
    return web_context().services.settings
