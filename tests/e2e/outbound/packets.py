"""Whether a packet on loopback was for another machine, or asked for a name. Pure."""

from __future__ import annotations

import ipaddress
import struct

IPV4, IPV6 = 0x0800, 0x86DD
UDP = 17
DNS_PORT = 53


def read_destination(protocol: int, packet: bytes) -> str | None:
    """`packet` begins with its IP header. None for what stays on this machine."""
    if protocol == IPV4:
        host, rest, carried = packet[16:20], packet[(packet[0] & 0xF) * 4 :], packet[9]
    elif protocol == IPV6:
        host, rest, carried = packet[24:40], packet[40:], packet[6]
    else:
        return None
    address = ipaddress.ip_address(host)
    if address.is_multicast:  # the kernel's own greetings, which no router passes on
        return None
    port = struct.unpack(">H", rest[2:4])[0] if len(rest) >= 4 else 0
    if port == DNS_PORT and carried == UDP:
        return f"name {read_name(rest[8:])}"
    return None if address.is_loopback else f"address {address} port {port}"


def read_name(question: bytes) -> str:
    """The first name of a DNS message."""
    labels, at = [], 12
    while at < len(question) and question[at]:
        labels.append(question[at + 1 : at + 1 + question[at]].decode(errors="replace"))
        at += 1 + question[at]
    return ".".join(labels)
