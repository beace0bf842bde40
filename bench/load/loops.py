"""What each address costs, and what one user's loops cost another: `python -m bench.load.loops`.

First the processor time of a request (milliseconds of the web process), for each address that asks
for no sign-in: again and again, and 60 at once at its first use. Then 60 loops of one user on each
address that a user may ask for, and how long another user waits beside them: for `/healthz`, for
the list of chats and for a reply.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
import httpx

from bench.harness.processes import cpu_s
from bench.harness.site import USER_HEADER, BenchSite, model_settings, running_site
from tests.fakes.openai_json import FAKE_MODEL
from tests.fakes.openai_server import running_openai_server
from web.pages.assets import current_release

LOOPS = 60
ROUNDS = 60
ASKED = 15
OPEN = (
    "/healthz", "/readyz", "/metrics", "/api/v1/openapi.json", "/api/v1/docs", "/api/v1/problems",
    "/manifest.webmanifest", "/offline", "/service-worker.js", "/diagrams/frame",
    "/assets/{release}/vendor/mermaid.js", "/assets/{release}/css/all.css",
    "/assets/{release}/nothing.js", "/assets/older/vendor/mermaid.js",
    "/s/none", "/", "/nothing", "/api/v1/conversations",
    "/account/sign-in", "/account/sign-up", "/account/second-factor", "/account/reset?token=none",
    "/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource",
    "/oauth/authorize",
)  # fmt: skip
LOOPED = (
    "/", "/api/v1/conversations", "/api/v1/facts", "/api/v1/search?q=tea", "/api/v1/episodes",
    "/api/v1/export", "/api/v1/audit", "/api/v1/openapi.json", "/api/v1/docs", "/healthz",
    "/metrics", "/readyz", "/nothing", "/v1/models",
)  # fmt: skip
BROWSER = {"Accept": "text/html", "Accept-Encoding": "gzip, br"}


@click.command()
@click.option("--loops", default=LOOPS, show_default=True)
def main(*, loops: int) -> None:
    with running_site({"AUTH_MODE": "password", "OPERATORS": ""}) as site:
        site.warm_up()
        show_costs(site, loops)
    with (
        running_openai_server() as model,
        running_site(model_settings(model.base_url, FAKE_MODEL)) as site,
    ):
        site.warm_up()
        show_waits(site, loops)


def show_costs(site: BenchSite, loops: int) -> None:
    """Print each address with its status, its ms of CPU, and those of the first ones at once."""
    pid = site.web_pid
    print(f"ms of CPU for a request, {loops} at once at first, then {ROUNDS} in turn:")
    for address in OPEN:
        path = address.format(release=current_release())
        began = cpu_s(pid)
        asyncio.run(ask_at_once(site.url, path, loops))
        at_once = (cpu_s(pid) - began) / loops * 1000
        with httpx.Client(base_url=site.url, headers=BROWSER) as client:
            began = cpu_s(pid)
            answers = [client.get(path) for _ in range(ROUNDS)]
            again = (cpu_s(pid) - began) / ROUNDS * 1000
        print(f"  {answers[-1].status_code} {at_once:6.1f} {again:6.1f}  {address}")


def show_waits(site: BenchSite, loops: int) -> None:
    with httpx.Client(base_url=site.url, headers={USER_HEADER: "quiet"}, timeout=60) as quiet:
        waits: dict[str, Callable[[], object]] = {
            "healthz": lambda: quiet.get("/healthz"),
            "list": lambda: quiet.get("/api/v1/conversations"),
            "chat": lambda: quiet.post("/chat", json={"message": "Hi"}),
        }
        waits["chat"]()
        alone = {name: median_ms(wait) for name, wait in waits.items()}
        print("median ms alone: " + ", ".join(f"{name} {ms:.0f}" for name, ms in alone.items()))
        for address in LOOPED:
            with looping(site.url, address, loops):
                beside = {name: median_ms(wait) for name, wait in waits.items()}
            texts = (f"{name} {ms:.0f} ({ms / alone[name]:.1f} x)" for name, ms in beside.items())
            print(f"  {address}: {', '.join(texts)}", flush=True)


def median_ms(wait: Callable[[], object]) -> float:
    times = []
    for _ in range(ASKED):
        began = time.perf_counter()
        wait()
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


async def ask_at_once(url: str, path: str, loops: int) -> None:
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(
        base_url=url, headers=BROWSER, limits=limits, timeout=60
    ) as client:
        await asyncio.gather(*(client.get(path) for _ in range(loops)))


@contextmanager
def looping(url: str, path: str, loops: int) -> Iterator[None]:
    """A process whose loops send the same request again and again, with few cycles of their own."""
    process = multiprocessing.get_context("spawn").Process(
        target=run_loops, args=(url, path, loops), daemon=True
    )
    process.start()
    time.sleep(3)  # it imports, and connects
    try:
        yield
    finally:
        process.terminate()
        process.join()


def run_loops(url: str, path: str, loops: int) -> None:
    async def all_loops() -> None:
        await asyncio.gather(*(loop(httpx.URL(url), path) for _ in range(loops)))

    asyncio.run(all_loops())


async def loop(url: httpx.URL, path: str) -> None:
    request = (
        f"GET {path} HTTP/1.1\r\nHost: {url.host}:{url.port}\r\nAccept-Encoding: br\r\n"
        f"{USER_HEADER}: loops\r\nConnection: close\r\n\r\n"
    ).encode()
    while True:
        reader, writer = await asyncio.open_connection(url.host, url.port)
        writer.write(request)
        while await reader.read(1_000_000):
            pass
        writer.close()


if __name__ == "__main__":
    main()
