"""The session cookie: signed, HttpOnly, SameSite=Lax, and Secure where browsers use TLS."""

from __future__ import annotations

from flask import Flask, request
from flask.sessions import SecureCookieSessionInterface

from shared.settings import Settings
from web.requests.client_address import is_https


class SessionCookie(SecureCookieSessionInterface):
    """A cookie whose name begins with `__Host-` under TLS: no other host or port can set it."""

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
