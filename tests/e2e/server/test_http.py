"""HTTP by the letter: what is refused before Flask is asked, and bodies in all their forms."""

from __future__ import annotations

import json

import pytest

from tests.e2e.server.raw_http import ask, connect, read_answer, request
from tests.e2e.site import Site
from tests.refusals import code_of

MARKER = "SECRET-MARKER"
JSON = "Content-Type: application/json"
HELLO = json.dumps({"message": "Hello"}).encode()
DIALOGUE = json.dumps(
    [{"id": "d", "messages": [{"role": "user", "content": "word " * 60_000}]}]
).encode()

REFUSED = {
    "no HTTP at all": (f"{MARKER}\r\n\r\n".encode(), 400),
    "an unknown version": (f"GET /{MARKER} HTTP/9.9\r\n\r\n".encode(), 400),
    "a line of spaces": (b"GET / / / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    "a header without a colon": (request("GET", "/healthz", MARKER), 400),
    "a header's name with a space": (request("GET", "/healthz", f"X {MARKER}: 1"), 400),
    "two lengths": (request("POST", "/chat", "Content-Length: 1", "Content-Length: 2"), 400),
    "a length that is none": (request("POST", "/chat", f"Content-Length: {MARKER}"), 400),
    "a length below zero": (request("POST", "/chat", "Content-Length: -1"), 400),
    "length and chunks": (
        request("POST", "/chat", JSON, "Content-Length: 1", "Transfer-Encoding: chunked"), 400,
    ),
    "a long address": (request("GET", "/" + MARKER * 1000), 414),
    "a long header": (request("GET", "/healthz", f"X-Long: {MARKER * 1000}"), 431),
    "many headers": (request("GET", "/healthz", *[f"X-{n}: {MARKER}" for n in range(500)]), 431),
    "headers without an end": (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20_000, 431),
    "an unknown coding": (request("POST", "/chat", JSON, "Transfer-Encoding: odd, chunked"), 501),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_no_request_is_refused_in_our_form(small_site: Site, what: str) -> None:
    payload, status = REFUSED[what]
    answer = ask(small_site.port, payload)
    assert answer.status == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    problem = answer.json()
    assert problem["status"] == status
    assert problem["type"] == f"/api/v1/problems#{problem['code']}"
    assert problem["error"] == {"code": problem["code"], "message": problem["detail"]}
    assert MARKER not in answer.body.decode()
    assert MARKER not in small_site.log("web")()


@pytest.mark.parametrize(
    ("path", "form"),
    [("/chat", "application/json"), ("/api/v1/chat", "application/problem+json")],
)
def test_an_unknown_expectation_is_refused(small_site: Site, path: str, form: str) -> None:
    answer = ask(small_site.port, request("POST", path, f"Expect: {MARKER}"))
    assert (answer.status, answer.headers["content-type"]) == (417, form)
    assert MARKER not in answer.body.decode()
    assert MARKER not in small_site.log("web")()


@pytest.mark.parametrize("size", ["zz", "-1", "5;\r"])
def test_a_bad_chunk_is_refused_in_our_form(small_site: Site, size: str) -> None:
    head = request("POST", "/chat", JSON, "Transfer-Encoding: chunked")
    answer = ask(small_site.port, head, f"{size}\r\nhello\r\n".encode())
    assert (answer.status, code_of(answer)) == (400, "bad_request")


def test_a_body_in_chunks_is_a_body(small_site: Site) -> None:
    head = request("POST", "/chat", JSON, "Transfer-Encoding: chunked")
    chunks = b"".join(b"1\r\n%c\r\n" % byte for byte in HELLO) + b"0\r\n\r\n"
    answer = ask(small_site.port, head, chunks)
    assert (answer.status, answer.json()["reply"]) == (200, "Hello from the fake.")


@pytest.mark.parametrize("path", ["/chat", "/api/v1/imports"])
def test_a_client_that_waits_for_leave_to_send_is_given_it(small_site: Site, path: str) -> None:
    body = HELLO if path == "/chat" else DIALOGUE
    head = request("POST", path, JSON, f"Content-Length: {len(body)}", "Expect: 100-continue")
    with connect(small_site.port) as client:
        client.sendall(head)
        assert read_answer(client).status == 100
        client.sendall(body)
        assert read_answer(client).status == 200


def test_a_client_that_may_not_send_is_told_before_it_sends(small_site: Site) -> None:
    head = request(
        "POST", "/api/v1/imports", "Content-Type: text/plain", "Content-Length: 5000",
        "Expect: 100-continue",
    )  # fmt: skip
    answer = ask(small_site.port, head)
    assert (answer.status, code_of(answer)) == (415, "unsupported_type")


@pytest.mark.parametrize("length", ["Content-Length: 2000000000", "Transfer-Encoding: chunked"])
def test_a_body_that_is_too_long_is_refused_and_the_client_hears_it(
    small_site: Site, length: str
) -> None:
    megabyte = b"x" * 1_000_000
    piece = b"f4240\r\n%b\r\n" % megabyte if "chunked" in length else megabyte
    answer = ask(small_site.port, request("POST", "/chat", JSON, length), piece, piece)
    assert (answer.status, code_of(answer)) == (413, "too_large")


def test_a_large_import_comes_in_chunks(small_site: Site) -> None:
    head = request("POST", "/api/v1/imports", JSON, "Transfer-Encoding: chunked", user="lea")
    pieces = [DIALOGUE[at : at + 9999] for at in range(0, len(DIALOGUE), 9999)]
    chunks = b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"
    answer = ask(small_site.port, head, chunks)
    assert (answer.status, answer.json()["conversations"]["imported"]) == (200, 1)


def test_requests_follow_one_another_on_one_connection(small_site: Site) -> None:
    with connect(small_site.port) as client:
        for _ in range(3):
            client.sendall(request("GET", "/healthz"))
            assert read_answer(client).status == 200
        client.sendall(request("GET", "/healthz") * 3)
        client.sendall(request("GET", "/api/v1/status", "Connection: close"))
        received = b"".join(iter(lambda: client.recv(65_536), b""))
    assert received.count(b"HTTP/1.1 200 OK") == 4


def test_head_has_the_headers_and_no_body(small_site: Site) -> None:
    with connect(small_site.port) as client:
        client.sendall(request("HEAD", "/", "Connection: close"))
        received = b"".join(iter(lambda: client.recv(65_536), b""))
    head, body = received.split(b"\r\n\r\n", 1)
    assert head.startswith(b"HTTP/1.1 200 ")
    assert b"content-security-policy" in head.lower()
    assert body == b""


@pytest.mark.parametrize("path", ["/api/v1/conversations/%2e%2e", "/%ff%fe", "/a%00b"])
def test_odd_paths_are_not_found(small_site: Site, path: str) -> None:
    answer = ask(small_site.port, request("GET", path))
    assert (answer.status, code_of(answer)) == (404, "not_found")


def test_an_upgrade_to_websockets_is_refused(small_site: Site) -> None:
    head = request(
        "GET", "/healthz", "Connection: Upgrade", "Upgrade: websocket",
        "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    )  # fmt: skip
    assert ask(small_site.port, head).status == 403


def test_two_names_of_users_are_refused(small_site: Site) -> None:
    answer = ask(small_site.port, request("GET", "/api/v1/status", "X-Forwarded-User: bob"))
    assert (answer.status, code_of(answer)) == (400, "invalid_request")


@pytest.mark.parametrize("name", ["X_Forwarded_User", "X-Forwarded_User"])
def test_a_name_in_another_spelling_of_the_header_is_none(small_site: Site, name: str) -> None:
    """WSGI writes both spellings alike, and not every proxy drops the other one."""
    head = b"GET /api/v1/status HTTP/1.1\r\nHost: site\r\n%b: ann\r\n\r\n" % name.encode()
    assert ask(small_site.port, head).status == 401
