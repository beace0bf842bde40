"""Addresses that an operator may give a model.

Operators run the site's machines or speak for those who do, so loopback and private addresses are
allowed: a model of one's own is there.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from shared.policy.addresses import is_host, may_be_named_by_operators, read_address

MAX_URL_CHARS = 500
MAX_NAME_CHARS = 80
NO_MODEL_THERE = "leads to an address where no model can be."


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
    address = read_address(parts.hostname)
    if not is_host(parts.hostname) or (address and not may_be_named_by_operators(address)):
        raise UnusableAddressError(NO_MODEL_THERE)
    return url.rstrip("/")
