"""How much a first visit loads, and how soon the list is there; `python -m bench.page` prints it.

Each visit has a browser profile without cached files, and each answer comes 150 ms late, as from
another continent.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import asdict, dataclass
from statistics import median

from playwright.sync_api import Browser, BrowserContext, Page, Request

# Playwright tells of the service worker's requests only where this is set.
WORKER_REQUESTS = {"PW_EXPERIMENTAL_SERVICE_WORKER_NETWORK_EVENTS": "1"}
TIMES = 7
LATENCY_MS = 150
SLOW_LINE = {
    "offline": False,
    "latency": LATENCY_MS,
    "downloadThroughput": -1,
    "uploadThroughput": -1,
}


@dataclass(frozen=True, kw_only=True)
class Visit:
    """What one visit took, until the network was quiet and the service worker was ready."""

    requests: int
    #: Bodies on the wire.
    kilobytes: float
    #: Addresses below `/assets` that were loaded more than once.
    loaded_twice: int
    #: From the navigation until a conversation is seen in the list.
    list_ms: float
    #: Of all the browser's processes.
    cpu_ms: float


def measure_loading(browser: Browser, address: str) -> None:
    visits = [asdict(visit(browser, address)) for _ in range(TIMES)]
    for name in visits[0]:
        middle = median(each[name] for each in visits)
        print(f"first visit, {LATENCY_MS} ms away: {name} {middle:.0f}")


def visit(browser: Browser, address: str) -> Visit:
    with browser.new_context() as context:
        requests = watch_requests(context)
        page = context.new_page()
        slow_down(page)
        cpu_before_ms = read_cpu_ms(browser)
        began = time.perf_counter()
        page.goto(address, wait_until="commit")
        page.locator("#conversations a").first.wait_for()
        list_ms = (time.perf_counter() - began) * 1000
        page.wait_for_load_state("networkidle")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        cpu_ms = read_cpu_ms(browser) - cpu_before_ms
        sizes = {request: body_bytes(request) for request in requests}
        return Visit(
            requests=sum(size >= 0 for size in sizes.values()),
            kilobytes=sum(max(0, size) for size in sizes.values()) / 1000,
            loaded_twice=count_repeated([each for each, size in sizes.items() if size > 0]),
            list_ms=list_ms,
            cpu_ms=cpu_ms,
        )


def watch_requests(context: BrowserContext) -> list[Request]:
    """The requests that were answered, in a list that grows."""
    requests: list[Request] = []
    context.on("requestfinished", lambda request: requests.append(request))  # noqa: PLW0108
    return requests


def body_bytes(request: Request) -> int:
    """Below 0 where the answer came from the browser's cache."""
    return request.sizes()["responseBodySize"]


def count_repeated(requests: list[Request]) -> int:
    times = Counter(request.url for request in requests if "/assets/" in request.url)
    return sum(count > 1 for count in times.values())


def slow_down(page: Page) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW_LINE)


def read_cpu_ms(browser: Browser) -> float:
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return float(sum(process["cpuTime"] for process in processes) * 1000)
