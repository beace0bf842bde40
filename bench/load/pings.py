"""Ping a site and a bare server on the same machine, in turn.

The bare server is a small asyncio process that parses nothing. Its times show what the machine's
other load adds to any ping.
"""

from __future__ import annotations

import asyncio
import http.client
import time
from dataclasses import dataclass

from bench.harness.servers import Respond

HOST = "127.0.0.1"
PING_EVERY_S = 0.05
PING_LIMIT_S = 10.0
BARE_ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"


@dataclass(frozen=True, kw_only=True)
class Pings:
    """Milliseconds, sorted. A ping without an answer counts as `PING_LIMIT_S`."""

    times_ms: list[float]

    @property
    def lost(self) -> int:
        return sum(each >= PING_LIMIT_S * 1000 for each in self.times_ms)

    def over(self, limit_ms: float) -> int:
        return sum(each > limit_ms for each in self.times_ms)

    def quantile(self, share: float) -> float:
        return self.times_ms[min(int(len(self.times_ms) * share), len(self.times_ms) - 1)]


def ping_for(seconds: float, *ports: int) -> list[Pings]:
    """Ping in turn, over a new connection each time. Results are in the order of `ports`."""
    all_times: list[list[float]] = [[] for _ in ports]
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for port, times in zip(ports, all_times, strict=True):
            times.append(_ping(port))
            time.sleep(PING_EVERY_S)
    return [Pings(times_ms=sorted(times)) for times in all_times]


def _ping(port: int) -> float:
    client = http.client.HTTPConnection(HOST, port, timeout=PING_LIMIT_S)
    began = time.perf_counter()
    try:
        client.request("GET", "/healthz")
        is_well = client.getresponse().status == http.HTTPStatus.OK
        taken_s = time.perf_counter() - began
    except (OSError, http.client.HTTPException):
        is_well = False
    finally:
        client.close()
    return (taken_s if is_well else PING_LIMIT_S) * 1000


def make_bare() -> Respond:
    """For a server that parses nothing."""

    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(BARE_ANSWER)
        writer.close()

    return respond
