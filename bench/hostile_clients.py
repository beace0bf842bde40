"""Hostile clients for `bench.hostile_soak`, one thread each, until they are told to stop.

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

from bench.supervised import USER_HEADER

REQUEST_S = 30
SLOW_BODY = (
    b"POST /chat HTTP/1.1\r\nHost: bench\r\nX-Forwarded-User: slow\r\n"
    b"Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n"
)
HEADS = (b"", b"GET /healthz HTTP/1.1\r\nHost: bench\r\nX-Slow: ", SLOW_BODY)
JSON = {"Content-Type": "application/json"}


class Hostile(threading.Thread):
    """Repeats one action until stopped. `seen` counts the answers by action and status.

    Each action is done by a client that is signed in as `user`.
    """

    def __init__(
        self, url: str, user: str, move: Callable[[Hostile], None], stopped: threading.Event
    ) -> None:
        super().__init__(daemon=True)
        self.url = url
        self.user = user
        self.stopped = stopped
        self.seen: Counter[str] = Counter()
        self.client = httpx.Client(
            base_url=url, timeout=REQUEST_S, headers={USER_HEADER: user}, trust_env=False
        )
        self._move = move

    def run(self) -> None:
        while not self.stopped.is_set():
            try:
                self._move(self)
            except (httpx.HTTPError, OSError, ValueError, LookupError) as exc:
                self.seen[f"{self._move.__name__}: {type(exc).__name__}"] += 1
            time.sleep(0.05)

    def note(self, answer: httpx.Response) -> httpx.Response:
        self.seen[f"{self._move.__name__}: {answer.status_code}"] += 1
        return answer


def search_nonsense(attacker: Hostile) -> None:
    words = " ".join(_word() for _ in range(15))
    attacker.note(attacker.client.get("/api/v1/search", params={"q": words}))


def import_garbage(attacker: Hostile) -> None:
    garbage: tuple[Any, ...] = (
        b"[" * 200_000,
        json.dumps([{"mapping": {"a": {"parent": "a", "message": _word()}}}] * 2000).encode(),
        b'[{"id": "1", "messages": [{"role": "user", "content": "' + b"x" * 3_000_000,
        random.randbytes(500_000),
    )
    attacker.note(
        attacker.client.post("/api/v1/imports", content=random.choice(garbage), headers=JSON)
    )


def say_much(attacker: Hostile) -> None:
    text = (random.choice(("$", "a@b.", "{", "My ", "> ", _word() + " ")) * 100_000)[:99_000]
    attacker.note(attacker.client.post("/chat", json={"message": text}))


def start_and_stop(attacker: Hostile) -> None:
    """Begin a reply, leave it, stop it, and ask for it again."""
    body = {"message": "Tell me something long.", "stream": True}
    with attacker.client.stream("POST", "/chat", json=body) as answer:
        attacker.note(answer)
        if not answer.is_success:
            answer.read()
            return
        line = next(line for line in answer.iter_lines() if line.startswith("data:"))
    meta = json.loads(line[5:])
    place = f"/chat/{meta['conversation_id']}/{meta['sequence']}"
    attacker.note(attacker.client.post(f"{place}/stop", json={}))
    attacker.note(attacker.client.post(f"{place}/retry", json={}))


def follow_many(attacker: Hostile) -> None:
    """Open sixty streams of one reply and read none of them."""
    body = {"message": "Tell me something long.", "stream": True}
    with attacker.client.stream("POST", "/chat", json=body) as answer:
        attacker.note(answer)
        if not answer.is_success:
            answer.read()
            time.sleep(1)
            return
        line = next(line for line in answer.iter_lines() if line.startswith("data:"))
        meta = json.loads(line[5:])
        head = (
            f"GET /chat/{meta['conversation_id']}/{meta['sequence']}/stream HTTP/1.1\r\n"
            f"Host: bench\r\n{USER_HEADER}: {attacker.user}\r\n\r\n"
        )
        _keep_open(attacker, [head.encode()] * 60, 5)


def be_slow(attacker: Hostile) -> None:
    """Open thirty connections that send a byte a second, or nothing."""
    _keep_open(attacker, [random.choice(HEADS) for _ in range(30)], 15)


MOVES = (search_nonsense, import_garbage, say_much, start_and_stop, follow_many, be_slow)


def _keep_open(attacker: Hostile, heads: list[bytes], seconds: float) -> None:
    url = httpx.URL(attacker.url)
    links: list[socket.socket] = []
    try:
        for head in heads:
            links.append(socket.create_connection((url.host, url.port or 80), REQUEST_S))
            links[-1].sendall(head)
        unfinished = [
            link
            for link, head in zip(links, heads, strict=True)
            if head and not head.startswith(b"GET /chat")
        ]
        until = time.monotonic() + seconds
        while time.monotonic() < until and not attacker.stopped.is_set():
            for link in unfinished:
                _send_space(link)
            time.sleep(1)
    finally:
        for link in links:
            link.close()


def _send_space(link: socket.socket) -> None:
    with suppress(OSError):  # the site has cut it off
        link.sendall(b" ")


def _word() -> str:
    return "".join(random.choices("abcdefghijklmnopqrstuvwxyz", k=9))
