"""Followers and slow clients: `python -m bench.load.followers --seconds 30`.

Prints how long a site under this load takes to answer a ping (milliseconds), how many pieces of
replies it sends a second, and the memory of its web process (MB).

A scripted model writes `--replies` replies, one for each user, five words a second. The followers
are spread over them. Slow clients send nothing, or their headers or body byte by byte; a client
that is cut off connects again. A separate process pings `/healthz` over new connections, in turn
with a bare server on the same machine.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import resource
from collections import Counter
from collections.abc import AsyncIterator, Coroutine
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

import click
import httpx

from bench.harness.processes import measure_shares
from bench.harness.servers import running_server
from bench.harness.site import USER_HEADER, model_settings, running_site
from bench.load.hostile_clients import SLOW_REQUESTS
from bench.load.pings import Pings, make_bare, ping_for
from tests.fakes.openai_json import FAKE_MODEL
from tests.fakes.openai_server import Scripted, running_openai_server

WORDS_PER_S = 5
PING_GOAL_MS = 100
ARRIVE_S = 15.0  # for all clients to be there before anything is measured
FILES = 8192
Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass
class Crowd:
    """What the clients have seen, counted."""

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
    limit = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, limit), hard))
    print(f"{followers} followers of {replies} replies, {slow} slow clients, {seconds:g} s")
    words = int((seconds + 3 * ARRIVE_S) * WORDS_PER_S)
    reply = Scripted(text="word " * words, piece_delay_s=1 / WORDS_PER_S)
    with running_openai_server() as model:
        model.script(*[reply] * replies)
        settings = model_settings(model.base_url, FAKE_MODEL)
        settings["MAX_LIVE_ROUNDS"] = str(max(replies, 48))
        with running_site(settings) as site:
            httpx.get(f"{site.url}/healthz?warm", timeout=60)
            places = [start_reply(site.url, f"user-{number}") for number in range(replies)]
            url = httpx.URL(site.url)
            crowd = Crowd(url.host, url.port or 80)
            members = [follow(crowd, *places[each % replies]) for each in range(followers)]
            kinds = list(SLOW_REQUESTS)
            members += [be_slow(crowd, kinds[each % len(kinds)]) for each in range(slow)]
            pings, floor, web_mb = asyncio.run(measure(crowd, members, seconds, site.data_dir))
            show(pings, floor)
            show_crowd(crowd, web_mb, seconds)


def start_reply(url: str, user: str) -> tuple[str, str]:
    """Returns the user, and the path of the reply's stream."""
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
) -> tuple[Pings, Pings, float]:
    """Returns the pings of the site and of the bare server, and the MB of the web process."""
    tasks = [asyncio.create_task(member) for member in members]
    await asyncio.sleep(ARRIVE_S)
    crowd.events = 0
    with (
        running_server(make_bare) as (bare, _),
        ProcessPoolExecutor(1, get_context("spawn")) as elsewhere,
    ):
        pings, floor = await asyncio.get_running_loop().run_in_executor(
            elsewhere, ping_for, seconds, crowd.port, bare
        )
    shares = await asyncio.to_thread(measure_shares, data_dir)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return pings, floor, shares["web"]


async def follow(crowd: Crowd, user: str, path: str) -> None:
    """Read a reply to its end. A refusal is counted and not tried again."""
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
    """Send one byte a second, over and over."""
    while True:
        async with connected(crowd, kind) as (reader, writer):
            writer.write(SLOW_REQUESTS[kind])
            while not reader.at_eof():
                await wait_a_second(reader, writer, b"" if kind == "silent" else b" ")
            crowd.seen[f"{kind}: cut off"] += 1


async def wait_a_second(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, byte: bytes
) -> None:
    writer.write(byte)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(reader.read(4096), 1)


@contextlib.asynccontextmanager
async def connected(crowd: Crowd, what: str) -> AsyncIterator[Connection]:
    """Connect for the block. An error of the connection is counted and ends the block."""
    try:
        reader, writer = await asyncio.open_connection(crowd.host, crowd.port)
        try:
            yield reader, writer
        finally:
            writer.close()
    except OSError as exc:
        crowd.seen[f"{what}: {type(exc).__name__}"] += 1
        await asyncio.sleep(0.1)


def show(pings: Pings, floor: Pings) -> None:
    for name, each in (("ping", pings), ("bare server", floor)):
        print(f"{name}: {len(each.times_ms)} ({each.lost} lost), p50 {each.quantile(0.5):.1f} ms, "
              f"p99 {each.quantile(0.99):.1f} ms, longest {each.times_ms[-1]:.1f} ms, "
              f"{each.over(PING_GOAL_MS)} over {PING_GOAL_MS} ms")  # fmt: skip
    ratios = ", ".join(
        f"{name} {pings.quantile(share) / floor.quantile(share):.1f}"
        for name, share in (("p50", 0.5), ("p99", 0.99), ("longest", 1.0))
    )
    print(f"ping to bare server: {ratios}")


def show_crowd(crowd: Crowd, web_mb: float, seconds: float) -> None:
    print(f"pieces of replies to followers: {crowd.events / seconds:.0f} a second")
    print(", ".join(f"{what} {count}" for what, count in sorted(crowd.seen.items())))
    print(f"memory of web: {web_mb:.0f} MB")


if __name__ == "__main__":
    main()
