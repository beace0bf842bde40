"""A thread with a network of its own, in which there is nothing but loopback (Linux, as root)."""

from __future__ import annotations

import ctypes
import fcntl
import socket
import struct
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

CLONE_NEWNET = 0x40000000
SIOCSIFFLAGS = 0x8914
IFF_UP = 0x1

Made = TypeVar("Made")


def run_cut_off(work: Callable[[], Made]) -> tuple[Made, bool]:
    """What `work` returns, and whether the network really was cut off while it ran.

    On Linux a network belongs to a thread; the processes that it starts get the same one.
    Sockets that are files lead across, so Postgres and Valkey of the test run stay in reach.
    """
    with ThreadPoolExecutor(max_workers=1) as thread:
        is_cut_off = thread.submit(_leave_network).result()
        return thread.submit(work).result(), is_cut_off


def has_route(address: str) -> bool:
    """Whether this thread's network leads there. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((address, 9))
        except OSError:
            return False
    return True


def _leave_network() -> bool:
    """False where that is not allowed."""
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNET) != 0:
        return False
    with socket.socket() as control:
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))
    return True
