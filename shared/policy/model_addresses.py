"""Which addresses an operator may give a model.

Operators run the site's machines or speak for those who do, so loopback and private addresses are
allowed: a model of one's own is there. Link-local addresses are not. No model is there, but clouds
give a machine's passwords to whoever asks at one (169.254.169.254).
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit

MAX_URL_CHARS = 500
MAX_NAME_CHARS = 80


class UnusableAddressError(ValueError):
    """The message says why, and completes the sentence "address: …"."""


def check_address(url: str) -> str:
    """The address without a slash at its end. Raises `UnusableAddressError`."""
    if len(url) > MAX_URL_CHARS:
        raise UnusableAddressError(f"is longer than {MAX_URL_CHARS} characters.")
    if not (url.isascii() and url.isprintable()) or " " in url or "\\" in url:
        raise UnusableAddressError("holds characters that no address has.")
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as exc:
        raise UnusableAddressError("is not an address.") from exc
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise UnusableAddressError("must begin with http:// or https:// and a host.")
    if "@" in parts.netloc or "#" in url or "?" in url:
        raise UnusableAddressError("must have no user, password, query or fragment.")
    check_resolved([parts.hostname])
    return url.rstrip("/")


def check_resolved(hosts: Iterable[str]) -> None:
    """Raises `UnusableAddressError` for an address where no model can be. Names pass."""
    for host in hosts:
        if not _may_be_called(host):
            raise UnusableAddressError("leads to an address where no model can be.")


def _may_be_called(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return True
    mapped = getattr(address, "ipv4_mapped", None)
    address = mapped or address
    return not (address.is_link_local or address.is_multicast or address.is_unspecified)
