"""Adds the account pages, their settings and the sign-in to the application."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from flask import Flask, request
from flask.sessions import SecureCookieSessionInterface
from flask_login import LoginManager
from flask_wtf import CSRFProtect

from shared.errors import NotSignedInError
from shared.local_secrets import derive_key, find_secret_key, make_cipher
from shared.services import Services
from shared.settings import Settings
from web.accounts.account_context import AccountContext
from web.accounts.blueprint import blueprint
from web.accounts.pages import ask_to_sign_in
from web.accounts.signed_in import SESSION_DAYS, load_signed_in
from web.accounts.views import language, oidc, own, people, second_factor, sign_in, sign_up
from web.requests.client_address import is_https

if TYPE_CHECKING:
    from web.accounts.oidc import Provider

# Importing them adds their pages to the blueprint.
VIEWS = (language, oidc, own, people, second_factor, sign_in, sign_up)


def register_accounts(app: Flask, services: Services) -> None:
    settings = services.settings
    secret_key = find_secret_key(settings)
    app.secret_key = derive_key(secret_key, "sessions")
    app.session_interface = SessionCookie(settings)
    app.permanent_session_lifetime = timedelta(days=SESSION_DAYS)
    app.config["SESSION_REFRESH_EACH_REQUEST"] = False
    app.config["WTF_CSRF_CHECK_DEFAULT"] = False  # the blueprint checks its forms
    app.config["WTF_CSRF_TIME_LIMIT"] = None  # a token is as good as the session that it is of
    app.config["WTF_CSRF_SSL_STRICT"] = False  # check_same_origin reads the origin instead
    csrf = CSRFProtect(app)
    manager = LoginManager(app)
    manager.session_protection = None  # phones change their address
    manager.user_loader(load_signed_in)
    app.extensions["accounts"] = AccountContext(
        csrf=csrf,
        cipher=make_cipher(secret_key, "second factors"),
        provider=_make_provider(app, settings),
    )
    app.register_error_handler(NotSignedInError, ask_to_sign_in)
    app.register_blueprint(blueprint)


def _make_provider(app: Flask, settings: Settings) -> Provider | None:
    """Authlib is loaded where it is needed."""
    if settings.auth_mode != "oidc":
        return None
    from web.accounts.oidc import Provider

    return Provider(app, settings)


class SessionCookie(SecureCookieSessionInterface):
    """The session's cookie: signed, HttpOnly, SameSite=Lax, and Secure where browsers use TLS.

    Its name begins with `__Host-` under TLS: no other host or port can set it.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def get_cookie_name(self, app: Flask) -> str:
        """Without TLS the name has the port: browsers send a cookie to all ports of a host."""
        if self.get_cookie_secure(app):
            return "__Host-throughline"
        _, colon, port = request.host.rpartition(":")
        return f"throughline-session-{port if colon and port.isdecimal() else 0}"

    def get_cookie_secure(self, app: Flask) -> bool:
        return is_https(request, self._settings)

    def get_cookie_httponly(self, app: Flask) -> bool:
        return True

    def get_cookie_samesite(self, app: Flask) -> str:
        """Lax, since a browser that comes back from a provider has to bring its session."""
        return "Lax"

    def get_cookie_domain(self, app: Flask) -> None:
        return None

    def get_cookie_path(self, app: Flask) -> str:
        return "/"
