"""Addresses that requests of the site may go to.

What users name (webhooks, images) must be public. What operators name (models, a provider of
sign-ins) may be on the same machine or in a private network, but never where clouds give a
machine's passwords to whoever asks. An IPv6 address that leads to an IPv4 one counts as both.
"""

from __future__ import annotations

import ipaddress
import re

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

# IPv6 addresses that lead to an IPv4 address, which is their last 32 bits (RFC 6052, 8215, 4291,
# 2765).
_TRANSLATED = tuple(
    ipaddress.ip_network(network)
    for network in ("64:ff9b::/96", "64:ff9b:1::/48", "::/96", "::ffff:0:0:0/96")
)
_ISATAP = frozenset({0x0000_5EFE, 0x0200_5EFE})  # bits 64 to 95 of such an address (RFC 5214)
# Where clouds answer a machine's questions about itself, beside link-local addresses. Some of them
# are public, or private as many others.
_METADATA: tuple[Network, ...] = tuple(
    ipaddress.ip_network(network)
    for network in (
        "fd00:ec2::/32",  # Amazon
        "fd20:ce::/32",  # Google
        "168.63.129.16/32",  # Azure
        "100.100.100.200/32",  # Alibaba
        "192.0.0.192/32",  # Oracle
    )
)
_LABEL = r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME = re.compile(rf"({_LABEL}\.)*{_LABEL}\.?")
# The forms of an IPv4 address that the C library reads: 2130706433, 0x7f.1, 0177.0.0.1.
_NUMBER = r"(?:0[xX][0-9a-fA-F]{1,30}|[0-9]{1,30})"
_OLD_FORM = re.compile(rf"{_NUMBER}(?:\.{_NUMBER}){{0,3}}")


def read_address(host: str) -> Address | None:
    """Parse an IP address, also in an old form or with a dot at its end. None: it is a name."""
    text = host.removesuffix(".")
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return _read_old_form(text)


def is_host(text: str) -> bool:
    """Whether the text is a host name in lower case, or an IP address."""
    return _NAME.fullmatch(text) is not None or read_address(text) is not None


def is_public(address: Address) -> bool:
    return all(_is_public(part) for part in leads_to(address))


def may_be_named_by_operators(address: Address) -> bool:
    """Whether an operator may name the address: a public or a private one, or this machine's.

    Refused are addresses where a cloud gives out passwords, and those that belong to no machine.
    """
    return not any(_answers_for_cloud(part) or _is_nobody(part) for part in leads_to(address))


def leads_to(address: Address) -> list[Address]:
    """The address and all addresses to which it leads. Of a mapped address, only the IPv4 one."""
    if isinstance(address, ipaddress.IPv4Address):
        return [address]
    if address.ipv4_mapped:
        return [address.ipv4_mapped]
    inner: list[Address | None] = [address.sixtofour, *(address.teredo or ())]
    if any(address in network for network in _TRANSLATED) or _is_isatap(address):
        inner.append(ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF))
    return [address, *(part for part in inner if part is not None)]


def is_within(address: Address, networks: tuple[str, ...]) -> bool:
    return any(address in ipaddress.ip_network(network, strict=False) for network in networks)


def is_public_or_within(address: Address, networks: tuple[str, ...]) -> bool:
    """Whether the address, and all to which it leads, are public or within `networks`.

    An address where a cloud gives out passwords is refused within any network.
    """
    return may_be_named_by_operators(address) and all(
        _is_public(part) or is_within(part, networks) for part in leads_to(address)
    )


def _read_old_form(text: str) -> Address | None:
    """A number without dots is the whole address; the last of several fills what is left."""
    if not _OLD_FORM.fullmatch(text):
        return None
    try:
        *bytes_before, rest = (_read_number(part) for part in text.split("."))
    except ValueError:
        return None
    room = 8 * (4 - len(bytes_before))
    if rest >> room or any(byte > 255 for byte in bytes_before):
        return None
    start = sum(byte << (24 - 8 * at) for at, byte in enumerate(bytes_before))
    return ipaddress.IPv4Address(start | rest)


def _read_number(text: str) -> int:
    if text[:2] in {"0x", "0X"}:
        return int(text[2:], 16)
    return int(text, 8 if text.startswith("0") else 10)


def _is_public(address: Address) -> bool:
    return (
        address.is_global
        and not _answers_for_cloud(address)
        and not _is_nobody(address)
        and not address.is_reserved
        and not (isinstance(address, ipaddress.IPv6Address) and address.is_site_local)
    )


def _answers_for_cloud(address: Address) -> bool:
    return address.is_link_local or any(address in network for network in _METADATA)


def _is_nobody(address: Address) -> bool:
    return address.is_multicast or address.is_unspecified


def _is_isatap(address: ipaddress.IPv6Address) -> bool:
    return (int(address) >> 32) & 0xFFFF_FFFF in _ISATAP
