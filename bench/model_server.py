"""A model server of its own process that answers in OpenAI's protocol, in 30 pieces."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

PIECES = 30
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


@contextmanager
def running_model_server(delay_s: float = 0) -> Iterator[str]:
    """Yields the address for `LLM_API_BASE`. Each request is answered after `delay_s`."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_run, args=(theirs, delay_s), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{ours.recv()}/v1"
    finally:
        process.terminate()
        process.join()


def _run(connection: Connection, delay_s: float) -> None:
    asyncio.run(_serve(connection, delay_s))


async def _serve(connection: Connection, delay_s: float) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                await _read_request(reader)
                await asyncio.sleep(delay_s)
                writer.write(ANSWER)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    connection.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()


async def _read_request(reader: asyncio.StreamReader) -> None:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
    await reader.readexactly(length)


def _event(choice: dict[str, object], **more: object) -> bytes:
    chunk = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "any"}
    data = f"data: {json.dumps(chunk | {'choices': [{'index': 0, **choice}]} | more)}\n\n".encode()
    return b"%x\r\n%b\r\n" % (len(data), data)


_PIECE = _event({"delta": {"content": "word "}, "finish_reason": None})
_END = _event(
    {"delta": {}, "finish_reason": "stop"},
    usage={"prompt_tokens": 10, "completion_tokens": PIECES, "total_tokens": 10 + PIECES},
)
_DONE = b"e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n"
ANSWER = HEAD + _PIECE * PIECES + _END + _DONE
