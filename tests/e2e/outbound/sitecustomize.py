"""Python imports this at its start when the folder is on PYTHONPATH: it writes down who tries to
leave the machine.

Into the file `WATCH_FILE`: one line `watched` for each process, and one `tried` for each address
or name that is not this machine's. It sees what Python code does; what C code does by itself is
kept in by the network namespace that the test adds where it may.
"""

from __future__ import annotations

import ipaddress
import os
import socket
import sys
from typing import Any

_PATH = os.environ["WATCH_FILE"]
_LOOK_UPS = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}
_SENDINGS = {"socket.connect", "socket.sendto", "socket.sendmsg"}
_OWN_NAMES = {"", "localhost", socket.gethostname()}


def _note(what: str) -> None:
    program = " ".join(sys.orig_argv[-12:])
    descriptor = os.open(_PATH, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(descriptor, f"{what} by {program}\n".encode())
    os.close(descriptor)


def _is_own(host: str) -> bool:
    if host in _OWN_NAMES:
        return True
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _target(event: str, args: tuple[Any, ...]) -> str:
    """The host; "" when there is none, as for sockets that are files."""
    if event in _LOOK_UPS:
        host = args[0] or ""
        return host.decode() if isinstance(host, bytes) else str(host)
    if event in _SENDINGS and args[0].family in (socket.AF_INET, socket.AF_INET6) and args[1]:
        return str(args[1][0])
    return ""


def _watch(event: str, args: tuple[Any, ...]) -> None:
    if event in _LOOK_UPS | _SENDINGS and not _is_own(host := _target(event, args)):
        _note(f"tried {event} {host}")


_note("watched")
sys.addaudithook(_watch)
