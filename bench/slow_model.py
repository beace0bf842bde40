"""A server of OpenAI's protocol that answers after a second: `python -m bench.slow_model PORT S`.

It runs in a process of its own and spends 0.3 ms of CPU on a request. The answer depends on the
task that the prompt names, and is valid for it.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from bench.site import wait_until
from tests.e2e.site import free_port

POINT = "The user lives in Oslo and asked about tea; the assistant named three kinds of tea."
ANSWERS = {
    "summary": json.dumps(
        {"points": [{"first": n, "last": n + 1, "text": POINT} for n in range(16, 30, 2)]}
    ),
    "episode": json.dumps({"summary": POINT, "key_concepts": ["Oslo", "tea", "kinds of tea"]}),
    "facts": json.dumps(
        {
            "facts": [
                {
                    "category": "identity",
                    "key": "home_city",
                    "value": "Oslo",
                    "confidence": 1.0,
                    "importance": 0.8,
                    "seq": 0,
                    "retracts": False,
                }
            ]
        }
    ),
    "title": "Tea in Oslo",
}
PIECES = 20  # of a streamed answer


@contextmanager
def running_slow_model(latency_s: float, inside: Sequence[str] = ()) -> Iterator[tuple[str, int]]:
    """The base URL and the id of the process. `inside` stands before its command."""
    port = free_port()
    command = [*inside, sys.executable, "-m", "bench.slow_model", str(port), str(latency_s)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None  # noqa: S101
        if not wait_until(lambda: process.stdout.readline() == "ready\n", 30):  # type: ignore[union-attr]
            raise SystemExit("the model did not start")
        yield f"http://127.0.0.1:{port}/v1", process.pid
    finally:
        process.terminate()
        process.wait()


async def serve(port: int, latency_s: float) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                body = await _read_body(reader)
                await asyncio.sleep(latency_s)
                writer.write(STREAMS[_task_of(body)])
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", port, backlog=512)
    print("ready", flush=True)
    async with server:
        await server.serve_forever()


async def _read_body(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    lines = (line.partition(b":") for line in head.lower().split(b"\r\n"))
    length = next(int(value) for name, _, value in lines if name == b"content-length")
    return await reader.readexactly(length)


def _task_of(body: bytes) -> str:
    prompt: str = json.loads(body)["messages"][0]["content"]
    return prompt.partition("\n")[0].removeprefix("Task: ")


def _stream(text: str) -> bytes:
    """The whole response: the answer in pieces, its end, its usage."""
    size = -(-len(text) // PIECES)
    chunks = [_chunk({"content": text[at : at + size]}) for at in range(0, len(text), size)]
    usage = {"prompt_tokens": 900, "completion_tokens": 90, "total_tokens": 990}
    chunks += [_chunk({}, "stop"), {**_chunk({}), "choices": [], "usage": usage}]
    events = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
    body = "".join([*events, "data: [DONE]\n\n"]).encode()
    head = f"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {len(body)}\r\n"
    return head.encode() + b"\r\n" + body


def _chunk(delta: dict[str, str], finish_reason: str | None = None) -> dict[str, object]:
    return {
        "id": "slow-1",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": "slow-model",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}],
    }


STREAMS = {task: _stream(text) for task, text in ANSWERS.items()}

if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), float(sys.argv[2])))
