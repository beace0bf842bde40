"""Small servers in processes of their own, on a free port of the loopback address."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any

Respond = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@contextmanager
def running_server(make: Callable[..., Respond], *arguments: Any) -> Iterator[tuple[int, int]]:
    """Gives the port and the id of the process, which calls `make` for what answers."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(theirs, make, *arguments), daemon=True)
    process.start()
    theirs.close()  # so that an end of the process ends the waiting for its port
    try:
        yield ours.recv(), process.pid or 0
    finally:
        process.terminate()
        process.join()


def _run(parent: Connection, make: Callable[..., Respond], *arguments: Any) -> None:
    asyncio.run(_serve(parent, make(*arguments)))


async def _serve(parent: Connection, respond: Respond) -> None:
    server = await asyncio.start_server(respond, "127.0.0.1", 0, backlog=512)
    parent.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()
