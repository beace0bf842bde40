"""Requests to webhooks: what is called, what is not, and what an answer means."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shared.events.webhook_client import post
from shared.models import Attempt
from shared.policy.webhooks import Target, TargetRule, read_target
from tests.fakes.webhook_receiver import (
    Answer,
    Receiver,
    drip,
    raw,
    running_receiver,
    silent,
    status,
)
from tests.waiting import PATIENCE_S

LOCAL = TargetRule(ports=(443,), networks=(), is_local=True)
PUBLIC = TargetRule(ports=(443,), networks=(), is_local=False)
TIMEOUT_S = 0.5

Answers = Callable[..., list[Any]]


def send(receiver: Receiver, timeout_s: float = PATIENCE_S) -> Attempt:
    return post(read_target(receiver.url, LOCAL), LOCAL, {"X-Own": "1"}, b"{}", timeout_s)


def test_the_request_arrives_as_it_was_written(receiver: Receiver) -> None:
    receiver.url += "/a%20b?c=d"
    assert send(receiver) == Attempt(http_status=204)
    [received] = receiver.received
    assert (received.path, received.body) == ("/hook/a%20b?c=d", b"{}")
    assert received.headers["x-own"] == "1"
    assert received.headers["host"] == receiver.url.split("/")[2]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (status(200), Attempt(http_status=200)),
        (status(500), Attempt(http_status=500, error="refused")),
        (status(404), Attempt(http_status=404, error="refused")),
        (status(410), Attempt(http_status=410, error="gone")),
        (
            status(503, Retry_After="120"),
            Attempt(http_status=503, error="refused", retry_after_s=120),
        ),
        (status(429, Retry_After="soon"), Attempt(http_status=429, error="refused")),
        (raw(b"SSH-2.0-OpenSSH\r\n"), Attempt(error="answer_unreadable")),
        (raw(b"HTTP/1.1 200 OK\r\nX: " + b"a" * 200_000), Attempt(error="answer_unreadable")),
        (raw(b""), Attempt(error="answer_unreadable")),
        (silent(), Attempt(error="timeout")),
        (drip(b"HTTP/1.1 100 Continue\r\n\r\n", 0.02, 9), Attempt(error="timeout")),
    ],
)
def test_every_answer_has_a_meaning(receiver: Receiver, answer: Answer, expected: Attempt) -> None:
    receiver.answer(answer)
    timeout_s = TIMEOUT_S if expected.error == "timeout" else PATIENCE_S
    assert send(receiver, timeout_s) == expected


def test_a_body_is_not_read_however_long_it_is(receiver: Receiver) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n"
    receiver.answer(raw(head + b"x" * 1000))
    assert send(receiver) == Attempt(http_status=200)


def test_a_redirect_is_not_followed(receiver: Receiver) -> None:
    with running_receiver() as other:
        receiver.answer(status(307, Location=other.url))
        assert send(receiver) == Attempt(http_status=307, error="refused")
        assert other.received == []


def test_a_closed_port_is_a_failed_connection() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{probe.getsockname()[1]}/"
        attempt = post(read_target(url, LOCAL), LOCAL, {}, b"", PATIENCE_S)
        assert attempt == Attempt(error="connection_failed")


def test_a_name_that_leads_to_a_private_address_is_not_called(
    receiver: Receiver, resolve: Answers
) -> None:
    """Also if it leads to public ones, too, as a rebinding name does."""
    port = int(receiver.url.split(":")[2].split("/")[0])
    target = Target(scheme="https", host="rebind.example", port=port, path="/")
    resolve("127.0.0.1")
    assert post(target, PUBLIC, {}, b"", PATIENCE_S) == Attempt(error="address_refused")
    assert post(target, LOCAL, {}, b"", PATIENCE_S) == Attempt(error="address_refused")
    resolve("1.1.1.1", "127.0.0.1")
    assert post(target, PUBLIC, {}, b"", PATIENCE_S) == Attempt(error="address_refused")
    assert receiver.received == []


def test_the_address_that_was_checked_is_the_one_that_is_called(
    receiver: Receiver, resolve: Answers
) -> None:
    """The name is asked once: a second answer could be another one."""
    rule = TargetRule(ports=(443,), networks=("127.0.0.0/8",), is_local=False)
    port = int(receiver.url.split(":")[2].split("/")[0])
    hosts = resolve("127.0.0.1")
    target = Target(scheme="http", host="hooks.internal", port=port, path="/hook")
    assert post(target, rule, {}, b"", PATIENCE_S).http_status == 204
    assert hosts == ["hooks.internal"]
    assert receiver.received[0].headers["host"] == f"hooks.internal:{port}"


def test_a_name_that_nobody_knows_is_told_as_such(resolve: Answers) -> None:
    resolve()
    target = Target(scheme="https", host="nobody.example", port=443, path="/")
    assert post(target, PUBLIC, {}, b"", PATIENCE_S) == Attempt(error="name_unknown")
    too_long = Target(scheme="https", host="a" * 70 + ".example", port=443, path="/")
    assert post(too_long, PUBLIC, {}, b"", PATIENCE_S) == Attempt(error="name_unknown")


def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "server.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", "/CN=127.0.0.1", "-keyout", str(file), "-out", str(tmp_path / "cert.pem")],
        check=True, capture_output=True,
    )  # fmt: skip
    file.write_bytes(file.read_bytes() + (tmp_path / "cert.pem").read_bytes())
    with running_receiver(file) as receiver:
        assert send(receiver) == Attempt(error="tls_failed")
        assert receiver.received == []


@pytest.fixture
def resolve(monkeypatch: pytest.MonkeyPatch) -> Answers:
    """`resolve("1.1.1.1")` answers for every name; returns the names that were asked for."""
    real = socket.getaddrinfo

    def set_answers(*addresses: str) -> list[Any]:
        hosts: list[Any] = []

        def answer(host: Any, port: Any, *args: Any, **options: Any) -> Any:
            if str(host)[0].isdigit():  # an address: what `create_connection` asks for
                return real(host, port, *args, **options)
            hosts.append(host)
            if not addresses or len(host) > 63:
                raise socket.gaierror(socket.EAI_NONAME, "unknown")
            kind = socket.SOCK_STREAM
            return [(socket.AF_INET, kind, 6, "", (address, port)) for address in addresses]

        monkeypatch.setattr(socket, "getaddrinfo", answer)
        return hosts

    return set_answers
