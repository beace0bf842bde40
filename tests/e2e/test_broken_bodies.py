"""Bodies that end in the middle, to the real server."""

from __future__ import annotations

import json
import socket
from urllib.parse import urlsplit

import pytest

from tests.e2e.site import Site
from tests.waiting import PATIENCE_S

HEAD = (
    "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
    "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
)


def send(site: Site, path: str, body: bytes) -> tuple[int, dict[str, object]]:
    place = urlsplit(site.url)
    with socket.create_connection(
        (place.hostname or "", place.port or 0), timeout=PATIENCE_S
    ) as link:
        link.sendall(HEAD.format(path=path, host=place.netloc).encode() + body)
        link.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: link.recv(65_536), b""))
    head, _, content = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(content)


@pytest.mark.parametrize("path", ["/chat", "/api/v1/imports"])
@pytest.mark.parametrize("body", [b"zz\r\n{}\r\n", b"-5\r\n{}\r\n", b"5\r\n{}", b"2\r\n{}xx"])
def test_a_body_in_broken_chunks_is_refused(site: Site, path: str, body: bytes) -> None:
    status, answer = send(site, path, body)
    assert 400 <= status < 500
    assert "error" in answer or "code" in answer
