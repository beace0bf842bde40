"""Addresses: the client's network, the site's own, and the page to go on to."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from flask import Request

from shared.settings import Settings, host_and_port
from web.client_address import client_address, is_trusted

FORWARDED_PROTO = "X-Forwarded-Proto"
IPV6_NETWORK = 64  # the smallest that a provider gives to one customer


def client_network(request: Request, settings: Settings) -> str:
    """The client's IPv4 address, or its IPv6 network, of which it may have every address."""
    return _network_of(client_address(request, settings))


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


def _network_of(address: str) -> str:
    try:
        own = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(own, ipaddress.IPv6Address) and own.ipv4_mapped:
        return str(own.ipv4_mapped)
    if own.version == 4:
        return str(own)
    return str(ipaddress.ip_network((own, IPV6_NETWORK), strict=False))
