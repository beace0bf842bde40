"""Addresses: the site's own, and the page to go on to."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Request

from shared.settings import Settings, host_and_port
from web.client_address import is_trusted

FORWARDED_PROTO = "X-Forwarded-Proto"


def is_https(request: Request, settings: Settings) -> bool:
    """Whether the browser reached the site over TLS."""
    if settings.public_url.startswith("https://") or request.is_secure:
        return True
    forwarded = request.headers.get(FORWARDED_PROTO, "").strip().lower()
    return forwarded == "https" and is_trusted(request.remote_addr, settings.trusted_proxies)


def site_url(settings: Settings) -> str:
    """Where browsers find the site, without a slash at its end."""
    if settings.public_url:
        return settings.public_url
    everywhere = settings.bind in {"0.0.0.0", "::"}  # noqa: S104 - compared, not bound
    return f"http://{host_and_port('localhost' if everywhere else settings.bind, settings.port)}"


def page_within(text: str | None) -> str:
    """A path of this site; "/" for everything else. Browsers read `\\` as `/` and drop tabs."""
    path = text or "/"
    if not path.startswith("/") or path.startswith("//") or "\\" in path or not path.isprintable():
        return "/"
    parts = urlsplit(path)
    return "/" if parts.scheme or parts.netloc else path
