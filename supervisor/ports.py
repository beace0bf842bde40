"""Check the TCP ports before anything starts, for a clear error message."""

from __future__ import annotations

import socket
from collections.abc import Iterable

from shared.settings import host_and_port
from supervisor.errors import StartError


def choose_port(variable: str, address: str, port: int) -> int:
    """`port`, or a free port for 0. Raises StartError, which names `variable`, if it is taken."""
    family, kind, _, _, target = socket.getaddrinfo(
        address or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    with socket.socket(family, kind) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(target)
        except OSError as exc:
            raise StartError(
                f"{variable}={port}: {address}:{port} cannot be listened on ({exc.strerror}). "
                f"Stop the program that uses it, or set {variable} to another number."
            ) from exc
        return int(listener.getsockname()[1])


def list_metrics_ports(first: int, names: Iterable[str]) -> dict[str, int]:
    """A metrics port for each worker and for beat, from `first` on."""
    counting = [name for name in names if name.startswith(("worker", "beat"))]
    return {name: first + number for number, name in enumerate(counting)}


def page_url(address: str, port: int) -> str:
    """The URL by which a browser on this machine reaches a server on `address`."""
    host = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(address, address)  # noqa: S104
    return f"http://{host_and_port(host, port)}"
