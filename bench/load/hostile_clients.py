"""Hostile clients for `bench.load.hostile`, one thread each, until they are told to stop.

They attack this machine's loopback address only.
"""

from __future__ import annotations

import json
import random
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import httpx

from bench.harness.site import USER_HEADER

REQUEST_S = 30
#: Requests that never end: after the head comes a byte now and then, or nothing at all.
SLOW_REQUESTS = {
    "silent": b"",
    "headers": b"GET /healthz HTTP/1.1\r\nHost: bench\r\nX-Slow: ",
    "body": b"POST /chat HTTP/1.1\r\nHost: bench\r\nX-Forwarded-User: slow\r\n"
    b"Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n",
}
JSON = {"Content-Type": "application/json"}


class Attacker(threading.Thread):
    """Repeats one attack until stopped. `seen` counts the answers by attack and status."""

    def __init__(
        self, url: str, user: str, attack: Callable[[Attacker], None], stopped: threading.Event
    ) -> None:
        super().__init__(daemon=True)
        self.url = url
        self.user = user
        self.stopped = stopped
        self.seen: Counter[str] = Counter()
        self.client = httpx.Client(
            base_url=url, timeout=REQUEST_S, headers={USER_HEADER: user}, trust_env=False
        )
        self._attack = attack

    def run(self) -> None:
        while not self.stopped.is_set():
            try:
                self._attack(self)
            except (httpx.HTTPError, OSError, ValueError, LookupError) as exc:
                self.seen[f"{self._attack.__name__}: {type(exc).__name__}"] += 1
            time.sleep(0.05)

    def note(self, answer: httpx.Response) -> None:
        self.seen[f"{self._attack.__name__}: {answer.status_code}"] += 1

    def begin_reply(self) -> str | None:
        """The address of a reply that has begun, None if it was refused."""
        body = {"message": "Tell me something long.", "stream": True}
        with self.client.stream("POST", "/chat", json=body) as answer:
            self.note(answer)
            if not answer.is_success:
                answer.read()
                return None
            line = next(line for line in answer.iter_lines() if line.startswith("data:"))
        meta = json.loads(line[5:])
        return f"/chat/{meta['conversation_id']}/{meta['sequence']}"

    def keep_open(self, heads: list[bytes], seconds: float, byte: bytes = b"") -> None:
        """Open a connection for each head, and send `byte` on each once a second."""
        url = httpx.URL(self.url)
        links: list[socket.socket] = []
        try:
            for head in heads:
                links.append(socket.create_connection((url.host, url.port or 80), REQUEST_S))
                links[-1].sendall(head)
            until = time.monotonic() + seconds
            while time.monotonic() < until and not self.stopped.wait(1):
                for link, head in zip(links, heads, strict=True):
                    _send(link, byte if head else b"")
        finally:
            for link in links:
                link.close()


def search_nonsense(attacker: Attacker) -> None:
    words = " ".join(_word() for _ in range(15))
    attacker.note(attacker.client.get("/api/v1/search", params={"q": words}))


def import_garbage(attacker: Attacker) -> None:
    garbage: tuple[Any, ...] = (
        b"[" * 200_000,
        json.dumps([{"mapping": {"a": {"parent": "a", "message": _word()}}}] * 2000).encode(),
        b'[{"id": "1", "messages": [{"role": "user", "content": "' + b"x" * 3_000_000,
        random.randbytes(500_000),
    )
    attacker.note(
        attacker.client.post("/api/v1/imports", content=random.choice(garbage), headers=JSON)
    )


def say_much(attacker: Attacker) -> None:
    text = (random.choice(("$", "a@b.", "{", "My ", "> ", _word() + " ")) * 100_000)[:99_000]
    attacker.note(attacker.client.post("/chat", json={"message": text}))


def start_and_stop(attacker: Attacker) -> None:
    """Begin a reply, leave it, stop it, and ask for it again."""
    if reply := attacker.begin_reply():
        attacker.note(attacker.client.post(f"{reply}/stop", json={}))
        attacker.note(attacker.client.post(f"{reply}/retry", json={}))


def follow_many(attacker: Attacker) -> None:
    """Open sixty streams of one reply and read none of them."""
    if reply := attacker.begin_reply():
        head = (
            f"GET {reply}/stream HTTP/1.1\r\nHost: bench\r\n{USER_HEADER}: {attacker.user}\r\n\r\n"
        )
        attacker.keep_open([head.encode()] * 60, 5)
    else:
        time.sleep(1)


def be_slow(attacker: Attacker) -> None:
    """Open thirty connections that send a byte a second, or nothing."""
    heads = random.choices(list(SLOW_REQUESTS.values()), k=30)
    attacker.keep_open(heads, 15, byte=b" ")


ATTACKS = (search_nonsense, import_garbage, say_much, start_and_stop, follow_many, be_slow)


def _send(link: socket.socket, byte: bytes) -> None:
    with suppress(OSError):  # the site has cut it off
        link.sendall(byte)


def _word() -> str:
    return "".join(random.choices("abcdefghijklmnopqrstuvwxyz", k=9))
