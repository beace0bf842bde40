"""A local server that speaks OpenAI's chat protocol and does as it was told.

    server.script(Scripted(status=429, retry_after="1"), Scripted(text="At last."))

Each request takes the answer for words in it (`by_words`) or its task (`by_task["summary"]`), else
the next scripted one, else `DEFAULT`.
"""

from __future__ import annotations

import json
import select
import socket
import struct
import threading
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.fakes.openai_json import (
    format_of,
    list_pieces,
    make_chunk,
    make_usage,
    make_whole,
    reading_s,
    task_of,
)
from tests.fakes.prompt_cache import PromptCache

CHARS_A_TOKEN = 2  # fewer than there are
OPENAI_TOO_LONG = (
    "This model's maximum context length is {limit} tokens. However, your messages resulted in "
    "{asked} tokens. Please reduce the length of the messages."
)
LLAMA_CPP_TOO_LONG = (
    "request ({asked} tokens) exceeds the available context size ({limit} tokens), "
    "try increasing it"
)
RESET_ON_CLOSE = struct.pack("ii", 1, 0)  # SO_LINGER of 0 s: the peer sees a reset


@dataclass(frozen=True, kw_only=True)
class Scripted:
    """One answer. Streamed if the request asks for it, word by word."""

    text: str = "Hello from the fake."
    reasoning: str = ""  # what it thinks before the text; only in streams
    status: int = 200
    retry_after: str | None = None
    error: str = "the provider's own words, with sk-secret-key in them"
    delay_s: float = 0  # before anything is sent
    read_per_s: float | None = None  # tokens of the prompt, before anything is sent
    silent_s: float = 0  # after the head, before the first piece
    piece_delay_s: float = 0  # before each piece
    begins: threading.Event | None = None  # before anything is sent it waits for this
    goes_on: threading.Event | None = None  # after `held_after` pieces it waits for this
    held_after: int = 1
    finish_reason: str | None = "stop"  # None: the stream just ends
    reset_after: int | None = None  # pieces, then the connection is reset
    tool_calls: tuple[dict[str, Any], ...] = ()
    tokens_in: Any = 11
    tokens_out: Any = 7
    tokens_cached: Any = 0


DEFAULT = Scripted()


@dataclass(frozen=True, kw_only=True)
class Recorded:
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass
class FakeOpenAI:
    """What a test uses: the address, the answers to give, the requests that arrived."""

    base_url: str = ""
    requests: list[Recorded] = field(default_factory=list)
    by_task: dict[str, Scripted] = field(default_factory=dict)
    by_words: dict[str, Scripted] = field(default_factory=dict)
    refused_formats: set[str] = field(default_factory=set)  # types of `response_format`
    context_tokens: int | None = None  # longer requests are refused with `too_long`
    too_long: str = OPENAI_TOO_LONG
    served: tuple[str, ...] | None = None  # what `GET /models` lists; None: 404
    key: str | None = None  # the only one that is accepted; None: any
    redirects_to: str | None = None  # every request is sent on there
    hung_up: threading.Event = field(default_factory=threading.Event)
    hang_ups: list[str] = field(default_factory=list)  # paths of requests nobody waited for
    slots: threading.Semaphore | None = None  # how many it answers at once; None: any number
    cache: PromptCache = field(default_factory=PromptCache)
    most_at_once: Counter[str] = field(default_factory=Counter)  # requests of a task, also queued
    _script: deque[Scripted] = field(default_factory=deque)
    _open: Counter[str] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def script(self, *answers: Scripted) -> None:
        self._script.extend(answers)

    def forget_script(self) -> None:
        """What nobody asked for is no answer to the next test's request."""
        self._script.clear()

    def next_answer(self, task: str, text: str) -> Scripted:
        by_words = (answer for words, answer in self.by_words.items() if words in text)
        scripted = next(by_words, self.by_task.get(task))
        return scripted or (self._script.popleft() if self._script else DEFAULT)

    @contextmanager
    def counted(self, task: str) -> Iterator[None]:
        """The block is one request of `task`, and one of "memory" unless it is a reply."""
        names = [task] if task == "reply" else [task, "memory"]
        with self._lock:
            self._open.update(names)
            self.most_at_once |= self._open
        try:
            yield
        finally:
            with self._lock:
                self._open.subtract(names)

    def refuse_length(self, body: dict[str, Any]) -> Scripted | None:
        chars = sum(len(str(message["content"])) for message in body["messages"])
        tokens = chars // CHARS_A_TOKEN
        if self.context_tokens is None or tokens <= self.context_tokens:
            return None
        error = self.too_long.format(limit=self.context_tokens, asked=tokens)
        return Scripted(status=400, error=error)

    @property
    def formats(self) -> list[str | None]:
        """The type of `response_format` of each request."""
        return [format_of(request.body) for request in self.requests]

    @property
    def models(self) -> list[str]:
        return [request.body["model"] for request in self.requests]


@contextmanager
def running_openai_server() -> Iterator[FakeOpenAI]:
    """Listens on a free loopback port until the block ends."""
    fake = FakeOpenAI()
    handler = type("Handler", (_Handler,), {"fake": fake})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    server.block_on_close = False  # a scripted delay must not hold up the test's end
    fake.base_url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    fake: FakeOpenAI

    def do_GET(self) -> None:
        if self.fake.served is None or self.path != "/v1/models" or not self._may_enter():
            self._send(Scripted(status=404, error="Not Found"), streamed=False)
            return
        data = [{"id": name, "object": "model"} for name in self.fake.served]
        self._send_json(DEFAULT, {"object": "list", "data": data})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.fake.requests.append(Recorded(path=self.path, headers=headers, body=body))
        if self.fake.redirects_to is not None:
            self._send_on(self.fake.redirects_to)
            return
        if not self._may_enter():
            answer = Scripted(status=401)
        elif self.fake.served is not None and body["model"] not in self.fake.served:
            answer = Scripted(status=404, error="There is no such model.")
        elif format_of(body) in self.fake.refused_formats:
            answer = Scripted(status=400)
        else:
            text = str(body["messages"][-1]["content"])
            answer = self.fake.refuse_length(body) or self.fake.next_answer(task_of(body), text)
        try:
            self._answer(answer, body)
        except OSError:
            self.fake.hang_ups.append(self.path)
            self.fake.hung_up.set()
            self.close_connection = True

    def _answer(self, answer: Scripted, body: dict[str, Any]) -> None:
        """It counts until the answer begins: whoever has the last byte may ask again at once."""
        with ExitStack() as counted, self._slot():
            counted.enter_context(self.fake.counted(task_of(body)))
            unread = self.fake.cache.take_unread(body)
            self._wait(answer.delay_s + reading_s(unread, answer.read_per_s))
            self._wait_for(answer.begins)
            counted.close()
            self._send(answer, streamed=bool(body.get("stream")))

    def _may_enter(self) -> bool:
        key = self.fake.key
        return key is None or self.headers.get("authorization") == f"Bearer {key}"

    def _send_on(self, address: str) -> None:
        self.send_response(307)
        self.send_header("location", address)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""

    def _send(self, answer: Scripted, *, streamed: bool) -> None:
        if answer.status != 200:
            self._send_json(answer, {"error": {"message": answer.error, "type": "fake"}})
        elif streamed:
            self._send_stream(answer)
        else:
            usage = make_usage(answer.tokens_in, answer.tokens_out, answer.tokens_cached)
            self._send_json(answer, make_whole(answer.text, answer.finish_reason, usage))

    def _send_json(self, answer: Scripted, value: dict[str, Any]) -> None:
        payload = json.dumps(value).encode()
        self._send_head(answer, "application/json", len(payload))
        self.wfile.write(payload)

    def _send_stream(self, answer: Scripted) -> None:
        self._send_head(answer, "text/event-stream")
        self._wait(answer.silent_s)
        for piece in list_pieces(answer.reasoning) if answer.reasoning else ():
            self._wait(answer.piece_delay_s)
            self._send_event(make_chunk({"reasoning_content": piece}))
        for count, piece in enumerate(list_pieces(answer.text)):
            if count == answer.reset_after:
                self._reset()
                return
            self._wait(answer.piece_delay_s)
            if count == answer.held_after:
                self._wait_for(answer.goes_on)
            self._send_event(make_chunk({"content": piece}))
        for index, call in enumerate(answer.tool_calls):
            self._send_event(make_chunk({"tool_calls": [{"index": index, **call}]}))
        if answer.finish_reason:
            self._send_event(make_chunk({}, finish_reason=answer.finish_reason))
            usage = make_usage(answer.tokens_in, answer.tokens_out, answer.tokens_cached)
            self._send_event({**make_chunk(None), "choices": [], "usage": usage})
            self.wfile.write(b"data: [DONE]\n\n")

    def _send_head(self, answer: Scripted, content_type: str, length: int | None = None) -> None:
        self.send_response(answer.status)
        self.send_header("content-type", content_type)
        if answer.retry_after is not None:
            self.send_header("retry-after", answer.retry_after)
        if length is not None:
            self.send_header("content-length", str(length))
        self.end_headers()
        self.wfile.flush()

    def _send_event(self, value: dict[str, Any]) -> None:
        self.wfile.write(f"data: {json.dumps(value)}\n\n".encode())
        self.wfile.flush()

    @contextmanager
    def _slot(self) -> Iterator[None]:
        """Wait in a queue for a free slot. A client that hangs up meanwhile takes none."""
        slots = self.fake.slots
        if slots is None:
            yield
            return
        while not slots.acquire(timeout=0.01):
            self._wait(0.01)
        try:
            yield
        finally:
            slots.release()

    def _wait(self, seconds: float) -> None:
        """Raises at once when the client hangs up meanwhile."""
        if not seconds:
            return
        listener = select.poll()  # unlike select(), for any number of open files
        listener.register(self.connection, select.POLLIN)
        if listener.poll(seconds * 1000):
            raise ConnectionAbortedError

    def _wait_for(self, event: threading.Event | None) -> None:
        while event is not None and not event.is_set():
            self._wait(0.05)

    def _reset(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
        self.connection.close()
