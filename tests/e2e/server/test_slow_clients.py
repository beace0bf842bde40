"""More clients than threads, all of them slow: others are served, and the slow ones cut off."""

from __future__ import annotations

import os
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx
import pytest

from tests.e2e.server.conftest import THREADS
from tests.e2e.server.impatient_worker import CONNECTIONS
from tests.e2e.server.raw_http import connect, drip, read_answer, read_to_end, request
from tests.e2e.site import NO_TLS, Site
from tests.refusals import code_of
from tests.waiting import wait_for

MANY = THREADS * 3
UPLOADS = 40
JSON = "Content-Type: application/json"
BYTES = "Content-Type: application/octet-stream"
CUT_OFF_S = 60
PIPELINED = 200  # answers, far more than any socket's buffers take
ASSET = "/assets/any/vendor/uplot.js"

STARTS = {
    "silent": b"",
    "headers": b"GET /healthz HTTP/1.1\r\nHost: site\r\nX-Slow: ",
    "body": request("POST", "/chat", JSON, "Content-Length: 5000"),
    "chunks": request("POST", "/chat", JSON, "Transfer-Encoding: chunked") + b"5\r\n",
    "upload": request("POST", "/api/v1/imports", JSON, "Content-Length: 5000"),
    "file": request("POST", "/api/v1/attachments?name=a.txt", BYTES, "Content-Length: 5000"),
}
LARGE = "Content-Length: 9000000"
# Most of it comes at once, and goes to a file. Then nothing comes.
STALLED = {
    "file": request("POST", "/api/v1/attachments?name=a.txt", BYTES, LARGE) + b"x" * 500_000,
    "archive": request("POST", "/api/v1/imports", JSON, LARGE) + b"PK\x03\x04" + b"x" * 500_000,
    "import": request("POST", "/api/v1/imports", JSON, LARGE) + b'[{"a": "' + b"x" * 500_000,
}


@pytest.fixture
def open_many() -> Iterator[Callable[[Site, bytes, int], list[socket.socket]]]:
    with ExitStack() as stack:

        def make(site: Site, start: bytes, count: int = MANY) -> list[socket.socket]:
            clients = [stack.enter_context(connect(site.port)) for _ in range(count)]
            for client in clients:
                client.sendall(start)
            return clients

        yield make


def is_served(site: Site, user: str = "ben") -> bool:
    body = {"message": "Hello"}
    answer = httpx.post(
        f"{site.url}/chat", json=body, headers={"X-Forwarded-User": user}, timeout=60, verify=NO_TLS
    )
    return answer.status_code == 200


@pytest.mark.parametrize("kind", STARTS)
def test_another_user_is_served_beside_slow_clients(
    small_site: Site, open_many: Callable[..., list[socket.socket]], kind: str
) -> None:
    clients = open_many(small_site, STARTS[kind])
    if kind != "silent":
        drip(clients, 0.5)
    assert is_served(small_site)


@pytest.mark.parametrize("kind", ["headers", "body"])
def test_a_slow_request_is_told_so_and_cut_off(
    small_site: Site, open_many: Callable[..., list[socket.socket]], kind: str
) -> None:
    [client] = open_many(small_site, STARTS[kind], 1)
    drip([client], 1)
    answer = read_answer(client)
    assert (answer.status, code_of(answer)) == (408, "request_timeout")
    assert answer.headers["connection"] == "close"
    assert read_to_end(client) == b""


def test_a_silent_connection_is_ended_without_a_word(
    small_site: Site, open_many: Callable[..., list[socket.socket]]
) -> None:
    [client] = open_many(small_site, b"", 1)
    assert read_to_end(client) == b""


def test_more_silent_connections_than_there_are_places_keep_nobody_out(
    small_site: Site, open_many: Callable[..., list[socket.socket]]
) -> None:
    open_many(small_site, b"", CONNECTIONS + MANY)
    assert is_served(small_site)


def test_who_reads_nothing_of_what_was_asked_for_is_cut_off(
    small_site: Site, open_many: Callable[..., list[socket.socket]]
) -> None:
    clients = open_many(small_site, request("GET", ASSET) * PIPELINED, THREADS + 20)
    assert is_served(small_site)
    wait_for(lambda: not still_open(small_site, clients), CUT_OFF_S)


@pytest.mark.parametrize("kind", STALLED)
def test_uploads_that_stall_are_cut_off_and_leave_nothing(
    small_site: Site, open_many: Callable[..., list[socket.socket]], kind: str
) -> None:
    clients: list[socket.socket] = []
    for _ in range(UPLOADS):
        clients += open_many(small_site, STALLED[kind], 1)
        feed(clients)

    def all_arrive() -> bool:
        feed(clients)
        return len(arriving(small_site)) == UPLOADS

    if kind == "file":
        wait_for(all_arrive, CUT_OFF_S)
    assert is_served(small_site)
    assert httpx.get(f"{small_site.url}/healthz", timeout=60).status_code == 200
    wait_for(lambda: not still_open(small_site, clients), CUT_OFF_S)
    wait_for(lambda: not arriving(small_site), CUT_OFF_S)


def test_uploads_that_break_off_leave_nothing(
    small_site: Site, open_many: Callable[..., list[socket.socket]]
) -> None:
    clients = open_many(small_site, STALLED["file"], UPLOADS)

    def some_arrive() -> bool:
        feed(clients)
        return len(arriving(small_site)) > 0

    wait_for(some_arrive, CUT_OFF_S)
    for client in clients:
        client.close()
    wait_for(lambda: not arriving(small_site), CUT_OFF_S)


def feed(clients: list[socket.socket]) -> None:
    """So much from each that none is cut off yet: 1,000 bytes give back a second of patience."""
    for client in clients:
        with suppress(OSError):  # too many at once, or no archive: these were answered
            client.sendall(b"x" * 2000)


def arriving(site: Site) -> list[str]:
    """Files without a name that the site's processes have open where bodies go."""
    group, folder = site.running["web"].pid, os.path.realpath(tempfile.gettempdir())
    files = []
    for place in Path("/proc").glob("[0-9]*/fd/*"):
        with suppress(OSError):
            if os.getpgid(int(place.parts[2])) == group:
                files.append(os.readlink(place))
    return [file for file in files if file.startswith(folder) and file.endswith("(deleted)")]


def still_open(site: Site, clients: list[socket.socket]) -> set[int]:
    """Ports of these clients to which the site still has a connection."""
    ports = {client.getsockname()[1] for client in clients}
    established = "01"
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    peers = {
        int(line[2].split(":")[1], 16)
        for line in lines
        if line[3] == established and int(line[1].split(":")[1], 16) == site.port
    }
    return ports & peers
