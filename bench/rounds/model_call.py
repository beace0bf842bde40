"""What one call of a model costs beside httpx alone: `python -m bench.rounds.model_call`.

A server of its own process answers at once, in 30 pieces. The calls take turns in blocks: httpx
that reads the bytes and parses them, our direct call, and ours through litellm. Prints medians of
the blocks: milliseconds of this process's CPU a call, and of waiting.
"""

from __future__ import annotations

import json
from collections.abc import Callable

import httpx

from bench.harness.model_server import running_model
from bench.harness.report import Figure, publish
from bench.harness.turns import take_turns
from shared.llm import ChatMessage, ModelRequest, complete, warm_up
from shared.settings import read_settings

BLOCKS = 12
CALLS = 25  # a block
FLOOR = "httpx alone"
HELLO = (ChatMessage(role="user", content="Hello, what do you remember of me?"),)


def main() -> None:
    with running_model() as (base_url, _), httpx.Client() as client:
        ways = {
            FLOOR: lambda: call_httpx(client, base_url),
            "direct": _call_ours(base_url, "httpx"),
            "litellm": _call_ours(base_url, "litellm"),
        }
        spent = take_turns(ways, BLOCKS, calls_each=CALLS)
    cpu = {way: each.cpu_ms for way, each in spent.items()}
    wall = {way: each.wall_ms for way, each in spent.items()}
    publish(
        "model_call",
        [
            Figure(
                name=f"{what} a call, {way}",
                value=medians[way],
                unit="ms",
                beside=FLOOR,
                beside_value=medians[FLOOR],
            )
            for what, medians in (("CPU", cpu), ("time", wall))
            for way in ways
            if way != FLOOR
        ],
    )


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


def _call_ours(base_url: str, client: str) -> Callable[[], object]:
    settings = read_settings(
        llm_model="any", llm_api_base=base_url, llm_api_key="any", llm_api_client=client
    )
    warm_up(settings)
    request = ModelRequest(model="any", messages=HELLO, purpose="reply")
    return lambda: complete(request, settings)


if __name__ == "__main__":
    main()
