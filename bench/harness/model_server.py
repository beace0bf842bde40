"""A model server of its own process, in OpenAI's protocol. It spends 0.3 ms of CPU on a request.

Replies are thirty words. The answer to a task of memory, which the prompt names, is valid for it.
"""

from __future__ import annotations

import asyncio
import functools
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from bench.harness.servers import Respond, running_server

REPLY = "word " * 30
POINT = "The user lives in Oslo and asked about tea; the assistant named three kinds of tea."
FACT = {
    "category": "identity",
    "key": "home_city",
    "value": "Oslo",
    "confidence": 1.0,
    "importance": 0.8,
    "seq": 0,
    "retracts": False,
}
POINTS = [{"first": number, "last": number + 1, "text": POINT} for number in range(16, 30, 2)]
ANSWERS = {
    "summary": json.dumps({"points": POINTS}),
    "episode": json.dumps({"summary": POINT, "key_concepts": ["Oslo", "tea", "kinds of tea"]}),
    "facts": json.dumps({"facts": [FACT]}),
    "title": "Tea in Oslo",
}
HEAD = "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n"
USAGE = {"prompt_tokens": 900, "completion_tokens": 90, "total_tokens": 990}

#: The text that a request is answered with. A function of a module, as the process imports it.
Answer = Callable[[dict[str, Any]], str]


def answer_task(request: dict[str, Any]) -> str:
    prompt: str = request["messages"][0]["content"]
    return ANSWERS.get(prompt.partition("\n")[0].removeprefix("Task: "), REPLY)


@contextmanager
def running_model(delay_s: float = 0, answer: Answer = answer_task) -> Iterator[tuple[str, int]]:
    """Gives the address for `LLM_API_BASE`, and the id of the process."""
    with running_server(_make_respond, delay_s, answer) as (port, pid):
        yield f"http://127.0.0.1:{port}/v1", pid


def _make_respond(delay_s: float, answer: Answer) -> Respond:
    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                request = json.loads(await _read_body(reader))
                await asyncio.sleep(delay_s)
                form = _stream if request.get("stream") else _whole
                writer.write(form(answer(request)))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    return respond


async def _read_body(reader: asyncio.StreamReader) -> bytes:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
    return await reader.readexactly(length)


@functools.cache
def _stream(text: str) -> bytes:
    """The answer in some thirty pieces, its end, its usage."""
    size = max(1, len(text) // 30)
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    choices = [{"delta": {"content": piece}, "finish_reason": None} for piece in pieces]
    chunks = [_object("chat.completion.chunk", choice) for choice in choices]
    end = _object("chat.completion.chunk", {"delta": {}, "finish_reason": "stop"})
    events = [f"data: {json.dumps(chunk)}\n\n" for chunk in [*chunks, end | {"usage": USAGE}]]
    return _response("text/event-stream", "".join([*events, "data: [DONE]\n\n"]))


@functools.cache
def _whole(text: str) -> bytes:
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return _response(
        "application/json", json.dumps(_object("chat.completion", choice) | {"usage": USAGE})
    )


def _object(kind: str, choice: dict[str, Any]) -> dict[str, Any]:
    choices = [{"index": 0, **choice}]
    return {"id": "1", "object": kind, "created": 0, "model": "any", "choices": choices}


def _response(kind: str, body: str) -> bytes:
    return (HEAD.format(kind=kind, length=len(body.encode())) + body).encode()
