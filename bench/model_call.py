"""What one call of a model costs beside httpx alone: `python -m bench.model_call`.

A server of its own process answers at once, in 30 pieces. The calls take turns in blocks: httpx
that reads the bytes and parses them, our direct call, and ours through litellm. Prints medians of
the blocks: milliseconds of this process's CPU a call, and of waiting.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable

import httpx

from bench.model_server import running_model_server
from bench.report import Figure, publish
from shared.llm import ChatMessage, ModelRequest, complete, warm_up
from shared.settings import Settings, read_settings

BLOCKS = 12
CALLS = 25  # a block
HELLO = (ChatMessage(role="user", content="Hello, what do you remember of me?"),)


def main() -> None:
    with running_model_server() as base_url, httpx.Client() as client:
        ways = {
            "httpx alone": lambda: call_httpx(client, base_url),
            "direct": _call_ours(base_url, "httpx"),
            "litellm": _call_ours(base_url, "litellm"),
        }
        cpu, wall = measure(ways)
    floor = "httpx alone"
    publish(
        "model_call",
        [
            Figure(
                name=f"{what} a call, {way}",
                value=medians[way],
                unit="ms",
                beside=floor,
                beside_value=medians[floor],
            )
            for what, medians in (("CPU", cpu), ("time", wall))
            for way in ways
            if way != floor
        ],
    )


def measure(ways: dict[str, Callable[[], None]]) -> tuple[dict[str, float], dict[str, float]]:
    """Milliseconds a call: of CPU, and of waiting."""
    cpu: dict[str, list[float]] = {way: [] for way in ways}
    wall: dict[str, list[float]] = {way: [] for way in ways}
    for block in range(BLOCKS + 1):
        for way, call in ways.items():
            began = time.process_time(), time.perf_counter()
            for _ in range(CALLS):
                call()
            took = time.process_time() - began[0], time.perf_counter() - began[1]
            if block:  # the first one warms up
                cpu[way].append(took[0] / CALLS * 1000)
                wall[way].append(took[1] / CALLS * 1000)
    return _medians(cpu), _medians(wall)


def call_httpx(client: httpx.Client, base_url: str) -> None:
    body = {"model": "any", "messages": [{"role": "user", "content": "Hello"}], "stream": True}
    pieces: list[str] = []
    with client.stream("POST", f"{base_url}/chat/completions", json=body) as response:
        for line in response.iter_lines():
            data = line.removeprefix("data: ")
            if data and data != "[DONE]":
                choices = json.loads(data)["choices"]
                pieces.extend(choice["delta"].get("content", "") for choice in choices)
    if not "".join(pieces):
        raise SystemExit("the server said nothing")


def _call_ours(base_url: str, client: str) -> Callable[[], None]:
    settings: Settings = read_settings(
        llm_model="any", llm_api_base=base_url, llm_api_key="any", llm_api_client=client
    )
    warm_up(settings)
    request = ModelRequest(model="any", messages=HELLO, purpose="reply")

    def call() -> None:
        complete(request, settings)

    return call


def _medians(times: dict[str, list[float]]) -> dict[str, float]:
    return {way: statistics.median(values) for way, values in times.items()}


if __name__ == "__main__":
    main()
