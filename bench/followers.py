"""`python -m bench.followers`: a crowd that follows replies, and clients that are slow on purpose.

A scripted model writes `--replies` replies, one for each user, five words a second. All followers
are spread over them. Slow clients say nothing at all, or send their headers or a body byte by
byte; who is cut off comes again. Meanwhile a process of its own pings: it asks `/healthz` over a
new connection, twenty times a second. Memory is that of the web process, connections and all.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import resource
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Coroutine
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

import click
import httpx

from bench.memory import measure_started
from bench.supervised import USER_HEADER, supervised
from tests.fakes.openai_server import FAKE_MODEL, Scripted, running_openai_server

WORDS_PER_S = 5
PING_EVERY_S = 0.05
PING_LIMIT_S = 10.0
ARRIVE_S = 15.0  # for all clients to be there before anything is measured
FILES = 8192
SLOW_KINDS = ("silent", "headers", "body")
BODY_HEAD = (
    "POST /chat HTTP/1.1\r\nHost: bench\r\nX-Forwarded-User: slow\r\n"
    "Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n"
)
HEADERS_HEAD = "GET /healthz HTTP/1.1\r\nHost: bench\r\nX-Slow: "
Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass
class Crowd:
    """What its members have seen."""

    host: str
    port: int
    following: int = 0
    events: int = 0
    seen: Counter[str] = field(default_factory=Counter)


@click.command()
@click.option("--followers", default=1000, show_default=True)
@click.option("--slow", default=200, show_default=True)
@click.option("--replies", default=40, show_default=True)
@click.option("--seconds", default=30.0, show_default=True)
def main(*, followers: int, slow: int, replies: int, seconds: float) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    print(f"{followers} followers of {replies} replies, {slow} slow clients, {seconds:g} s; "
          f"load average before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")  # fmt: skip
    words = int((seconds + 3 * ARRIVE_S) * WORDS_PER_S)
    reply = Scripted(text="word " * words, piece_delay_s=1 / WORDS_PER_S)
    with running_openai_server() as model, tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)
        model.script(*[reply] * replies)
        settings = {
            "LLM_MODEL": FAKE_MODEL,
            "LLM_API_BASE": model.base_url,
            "LLM_API_KEY": "bench",
            "MAX_LIVE_ROUNDS": str(max(replies, 48)),
        }
        with supervised(Path(folder, "data"), **settings) as site:
            httpx.get(f"{site.url}/healthz?warm", timeout=60)
            places = [start_reply(site.url, f"user-{number}") for number in range(replies)]
            url = httpx.URL(site.url)
            crowd = Crowd(url.host, url.port or 80)
            members = [follow(crowd, *places[each % replies]) for each in range(followers)]
            members += [be_slow(crowd, SLOW_KINDS[each % len(SLOW_KINDS)]) for each in range(slow)]
            pings, web_mb = asyncio.run(measure(crowd, members, seconds, site.data_dir))
            show(crowd, sorted(pings), web_mb, seconds)


def start_reply(url: str, user: str) -> tuple[str, str]:
    """The user, and the path of the reply's stream."""
    body = {"message": "Tell me something long.", "stream": True}
    with httpx.stream(
        "POST", f"{url}/chat", json=body, headers={USER_HEADER: user}, timeout=60
    ) as answer:
        for line in answer.iter_lines():
            if line.startswith("data:"):
                meta = json.loads(line[5:])
                break
    return user, f"/chat/{meta['conversation_id']}/{meta['sequence']}/stream"


async def measure(
    crowd: Crowd, members: list[Coroutine[None, None, None]], seconds: float, data_dir: Path
) -> tuple[list[float], float]:
    """The pings' milliseconds, and the web process's megabytes."""
    tasks = [asyncio.create_task(member) for member in members]
    await asyncio.sleep(ARRIVE_S)
    crowd.events = 0
    with ProcessPoolExecutor(1, get_context("spawn")) as elsewhere:
        pings = await asyncio.get_running_loop().run_in_executor(
            elsewhere, ping_for, seconds, crowd.host, crowd.port
        )
    held = await asyncio.to_thread(measure_started, data_dir)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return pings, held["web"].share_mb


async def follow(crowd: Crowd, user: str, path: str) -> None:
    """To the end; a refusal is counted, and not tried again."""
    head = f"GET {path} HTTP/1.1\r\nHost: bench\r\n{USER_HEADER}: {user}\r\n\r\n"
    async with connected(crowd, "follower") as (reader, writer):
        writer.write(head.encode())
        status = (await reader.readline()).split()
        crowd.seen[f"follower: {status[1].decode() if status else 'closed'}"] += 1
        if status and status[1] == b"200":
            crowd.following += 1
            while line := await reader.readline():
                crowd.events += line.startswith(b"event:")
            crowd.following -= 1


async def be_slow(crowd: Crowd, kind: str) -> None:
    """One byte a second; again and again."""
    head = {"silent": "", "headers": HEADERS_HEAD, "body": BODY_HEAD}[kind]
    while True:
        async with connected(crowd, kind) as (reader, writer):
            writer.write(head.encode())
            while not reader.at_eof():
                if kind != "silent":
                    writer.write(b" ")
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(reader.read(4096), 1)
            crowd.seen[f"{kind}: cut off"] += 1


def ping_for(seconds: float, host: str, port: int) -> list[float]:
    """Milliseconds each; one that was not answered took `PING_LIMIT_S`."""
    taken = []
    new_ones = httpx.Limits(max_keepalive_connections=0)
    client = httpx.Client(base_url=f"http://{host}:{port}", timeout=PING_LIMIT_S, limits=new_ones)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        began = time.perf_counter()
        try:
            is_well = client.get("/healthz").is_success
        except httpx.HTTPError:
            is_well = False
        taken.append((time.perf_counter() - began if is_well else PING_LIMIT_S) * 1000)
        time.sleep(PING_EVERY_S)
    return taken


@contextlib.asynccontextmanager
async def connected(crowd: Crowd, what: str) -> AsyncIterator[Connection]:
    """A connection's faults are counted, and end the block."""
    try:
        reader, writer = await asyncio.open_connection(crowd.host, crowd.port)
        try:
            yield reader, writer
        finally:
            writer.close()
    except OSError as exc:
        crowd.seen[f"{what}: {type(exc).__name__}"] += 1
        await asyncio.sleep(0.1)


def show(crowd: Crowd, pings: list[float], web_mb: float, seconds: float) -> None:
    lost = sum(taken >= PING_LIMIT_S * 1000 for taken in pings)
    print(f"ping: {len(pings)} ({lost} lost), p50 {pings[len(pings) // 2]:.1f} ms, "
          f"p99 {pings[int(len(pings) * 0.99)]:.1f} ms, longest {pings[-1]:.1f} ms")  # fmt: skip
    print(f"pieces of replies to followers: {crowd.events / seconds:.0f} a second")
    print(", ".join(f"{what} {count}" for what, count in sorted(crowd.seen.items())))
    print(f"memory of web: {web_mb:.0f} MB")


if __name__ == "__main__":
    main()
