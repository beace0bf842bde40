"""Where a request comes from, and by which scheme, behind the proxies of TRUSTED_PROXIES."""

from __future__ import annotations

import ipaddress

from flask import Request

from shared.settings import Settings

FORWARDED_FOR = "X-Forwarded-For"
FORWARDED_PROTO = "X-Forwarded-Proto"
IPV6_NETWORK = 64  # the smallest that a provider gives to one customer


def client_address(request: Request, settings: Settings) -> str:
    """The client's address; "" on a socket without addresses.

    Of the addresses in `X-Forwarded-For` the last one counts that is no trusted proxy: those
    before it may be invented.
    """
    address = request.remote_addr or ""
    for forwarded in reversed(request.headers.get(FORWARDED_FOR, "").split(",")):
        if not is_trusted(address, settings.trusted_proxies) or not _is_address(forwarded):
            break
        address = str(ipaddress.ip_address(forwarded.strip()))
    return address


def client_network(request: Request, settings: Settings) -> str:
    """The client's IPv4 address, or its IPv6 network, of which it may have every address."""
    return _network_of(client_address(request, settings))


def is_https(request: Request, settings: Settings) -> bool:
    """Whether the browser reached the site over TLS. The site itself speaks plain HTTP."""
    if settings.public_url.startswith("https://"):
        return True
    forwarded = request.headers.get(FORWARDED_PROTO, "").strip().lower()
    return forwarded == "https" and is_trusted(request.remote_addr, settings.trusted_proxies)


def is_trusted(address: str | None, trusted: tuple[str, ...]) -> bool:
    if not address:
        return False
    sender = ipaddress.ip_address(address)
    if isinstance(sender, ipaddress.IPv6Address):  # ::ffff:10.0.0.1 is 10.0.0.1
        sender = sender.ipv4_mapped or sender
    return any(sender in ipaddress.ip_network(entry, strict=False) for entry in trusted)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text.strip())
    except ValueError:
        return False
    return "%" not in text  # the zone of an IPv6 address may be any text


def _network_of(address: str) -> str:
    try:
        ip_address = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(ip_address, ipaddress.IPv6Address) and ip_address.ipv4_mapped:
        return str(ip_address.ipv4_mapped)
    if ip_address.version == 4:
        return str(ip_address)
    return str(ipaddress.ip_network((ip_address, IPV6_NETWORK), strict=False))
