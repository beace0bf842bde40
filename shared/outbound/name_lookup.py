"""Looks up names for requests that leave the site. Who calls one connects to what was checked."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar
from urllib.parse import urlsplit

from shared.policy.addresses import may_be_named_by_operators, read_address

C = TypeVar("C")

#: Whether an address, as the resolver tells it, may be called.
Check = Callable[[str], bool]


class RefusedAddressError(Exception):
    """A name leads to an address that may not be called."""


class UnknownNameError(Exception):
    """A name leads to no address."""


def look_up(host: str, port: int | None, check: Check | None = None) -> list[str]:
    """The addresses of a name, or of an address in any form.

    One refused address refuses the name, so that nothing hides among others. Without `check`,
    addresses that no operator may name are refused. Raises `RefusedAddressError` and
    `UnknownNameError`.
    """
    try:
        places = socket.getaddrinfo(str(read_address(host) or host), port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as exc:
        raise UnknownNameError from exc
    addresses = list(dict.fromkeys(str(place[0]) for *_, place in places))
    if not all((check or _is_for_operators)(address) for address in addresses):
        raise RefusedAddressError
    return addresses


def connect_to_first(addresses: list[str], connect: Callable[[str], C]) -> C:
    """Connect to the first of them that answers. Raises what `connect` raises for the last one."""
    *others, last = addresses
    for address in others:
        with suppress(Exception):  # the next one may answer
            return connect(address)
    return connect(last)


def check_url(url: str | None) -> None:
    """Raises `RefusedAddressError` if the URL leads where no request may go.

    A name that is unknown now is checked when it is called.
    """
    host = urlsplit(url or "").hostname
    try:
        if host:
            look_up(host, None)
    except UnknownNameError:
        return


def _is_for_operators(address: str) -> bool:
    parsed = read_address(address)
    return parsed is not None and may_be_named_by_operators(parsed)
