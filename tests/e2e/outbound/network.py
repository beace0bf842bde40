"""A network of its own for a thread and what it starts (Linux, as root).

It has nothing but loopback. What is sent elsewhere is led to loopback, too, where nobody takes it
and every packet is seen: of Python, of native code, and of any program that they start. To IPv6
addresses there is no way at all; their names are asked for over IPv4, and seen.
"""

from __future__ import annotations

import ctypes
import fcntl
import ipaddress
import socket
import struct
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

IPV4, IPV6 = 0x0800, 0x86DD
UDP = 17
DNS_PORT = 53


CLONE_NEWNET = 0x40000000
SIOCADDRT = 0x890B
SIOCSIFFLAGS = 0x8914
IFF_UP = 0x1
RTF_UP = 0x1
ETH_P_ALL = 0x0003
ETHERNET_HEADER = 14
LOOK_S = 0.2

Made = TypeVar("Made")


class Route(ctypes.Structure):
    """`struct rtentry` of Linux; all zeros but these lead everything to the device."""

    _fields_ = [
        ("pad1", ctypes.c_ulong),
        ("destination", ctypes.c_ubyte * 16),
        ("gateway", ctypes.c_ubyte * 16),
        ("mask", ctypes.c_ubyte * 16),
        ("flags", ctypes.c_ushort),
        ("pad2", ctypes.c_short),
        ("pad3", ctypes.c_ulong),
        ("pad4", ctypes.c_void_p),
        ("metric", ctypes.c_short),
        ("device", ctypes.c_char_p),
        ("mtu", ctypes.c_ulong),
        ("window", ctypes.c_ulong),
        ("irtt", ctypes.c_ushort),
    ]


def run_cut_off(work: Callable[[set[str] | None], Made]) -> tuple[Made, set[str] | None]:
    """What `work` returns, and what was sent elsewhere; None where the network cannot be taken.

    `work` gets the same set, which grows meanwhile.

    On Linux a network belongs to a thread; the processes that it starts get the same one.
    Sockets that are files lead across, so Postgres and Valkey of the test run stay in reach.
    """
    with ThreadPoolExecutor(max_workers=1) as thread:
        line = thread.submit(_leave_network).result()
        if line is None:
            return thread.submit(work, None).result(), None
        with line, _listening(line) as destinations:
            return thread.submit(work, destinations).result(), destinations


@contextmanager
def _listening(line: socket.socket) -> Iterator[set[str]]:
    destinations: set[str] = set()
    is_over = threading.Event()
    ear = threading.Thread(target=_listen, args=(line, destinations, is_over), daemon=True)
    ear.start()
    try:
        yield destinations
    finally:
        is_over.set()
        ear.join()


def _listen(line: socket.socket, destinations: set[str], is_over: threading.Event) -> None:
    """Until nothing has come for a moment after the end."""
    line.settimeout(LOOK_S)
    while True:
        try:
            packet, (_, protocol, *_) = line.recvfrom(65_535)
        except TimeoutError:
            if is_over.is_set():
                return
            continue
        if destination := read_destination(protocol, packet[ETHERNET_HEADER:]):
            destinations.add(destination)


def _leave_network() -> socket.socket | None:
    """A socket that hears all of the new network; None where that is not allowed."""
    if sys.platform != "linux" or ctypes.CDLL(None).unshare(CLONE_NEWNET) != 0:
        return None
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))
        fcntl.ioctl(control, SIOCADDRT, _route_to_loopback())
    line = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    line.bind(("lo", 0))
    return line


def _route_to_loopback() -> Route:
    family = (ctypes.c_ubyte * 16)(*struct.pack("=H", socket.AF_INET))
    return Route(destination=family, gateway=family, mask=family, flags=RTF_UP, device=b"lo")


def read_destination(protocol: int, packet: bytes) -> str | None:
    """Whether a packet was for another machine, or asked for a name.

    `packet` begins with its IP header. None for what stays on this machine.
    """
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
