"""A local server that speaks OpenAI's chat protocol and does as it was told.

    server.script(Scripted(status=429, retry_after="1"), Scripted(text="At last."))

Each request takes the answer for words in it (`by_words`) or its task (`by_task["summary"]`), else
the next scripted one, else `DEFAULT`.
"""

from __future__ import annotations

import json
import threading
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
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
from tests.fakes.patient_handler import PatientHandler
from tests.fakes.profiles import PLAIN, Profile, Refusal
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


@dataclass(frozen=True, kw_only=True)
class Scripted:
    """One answer. Streamed if the request asks for it, word by word."""

    text: str = "Hello from the fake."
    reasoning: str = ""  # what it thinks before the text; only in streams
    status: int = 200
    retry_after: str | None = None
    error: str = "the provider's own words, with sk-secret-key in them"
    delay_s: float = 0  # before anything is sent
    read_per_s: float | None = None  # tokens of the prompt; it reads on when its client hangs up
    silent_s: float = 0  # after the head, before the first piece
    piece_delay_s: float = 0  # before each piece
    begins: threading.Event | None = None  # before anything is sent it waits for this
    goes_on: threading.Event | None = None  # after `held_after` pieces it waits for this
    held_after: int = 1
    finish_reason: str | None = "stop"  # None: the stream just ends
    reset_after: int | None = None  # pieces, then the connection is reset
    breaks: bool = False  # with `error`, in place of its end
    events: tuple[Any, ...] = ()  # in place of all of these; a text or bytes are sent as they stand
    content_type: str = "text/event-stream"  # of a stream
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
    profile: Profile = PLAIN  # what it refuses, and how it answers
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

    def next_answer(self, task: str, text: str, *, is_step: bool) -> Scripted:
        """`is_step`: memory lets a server that seems slow read a prompt, for one token."""
        by_words = (answer for words, answer in self.by_words.items() if words in text)
        scripted = next(by_words, self.by_task.get(task))
        if scripted or not self._script:
            return scripted or DEFAULT
        return self._script[0] if is_step else self._script.popleft()

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

    def refuse(self, body: dict[str, Any]) -> Refusal | None:
        if format_of(body) in self.refused_formats:
            return Refusal(400, self.profile.error(DEFAULT.error))
        if refusal := self.profile.refuse(body):
            return refusal
        chars = sum(len(str(message["content"])) for message in body["messages"])
        tokens, limit = chars // CHARS_A_TOKEN, self.context_tokens or self.profile.window
        if not limit or tokens <= limit:
            return None
        message = self.too_long.format(limit=limit, asked=tokens)
        return self.profile.refuse_length(limit, tokens, message)

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


class _Handler(PatientHandler, BaseHTTPRequestHandler):
    fake: FakeOpenAI

    def do_GET(self) -> None:
        if self.fake.served is None or self.path != "/v1/models" or not self._may_enter():
            self._send(Scripted(status=404, error="Not Found"), {})
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
        try:
            self._answer_or_refuse(body)
        except OSError:
            self.fake.hang_ups.append(self.path)
            self.fake.hung_up.set()
            self.close_connection = True

    def _answer_or_refuse(self, body: dict[str, Any]) -> None:
        if not self._may_enter():
            self._answer(Scripted(status=401), body)
        elif self.fake.served is not None and body["model"] not in self.fake.served:
            self._answer(Scripted(status=404, error="There is no such model."), body)
        elif refusal := self.fake.refuse(body):
            self._send_json(Scripted(status=refusal.status), refusal.body)
        else:
            text = str(body["messages"][-1]["content"])
            task = task_of(body)
            is_step = task != "reply" and body.get("max_tokens") == 1
            self._answer(self.fake.next_answer(task, text, is_step=is_step), body)

    def _answer(self, answer: Scripted, body: dict[str, Any]) -> None:
        """It counts until the answer begins: whoever has the last byte may ask again at once."""
        with ExitStack() as counted, self.slot(self.fake.slots):
            counted.enter_context(self.fake.counted(task_of(body)))
            unread = self.fake.cache.take_unread(body)
            self.wait(answer.delay_s)
            threading.Event().wait(reading_s(unread, answer.read_per_s))  # heedless of hang-ups
            self.wait_for(answer.begins)
            counted.close()
            text = answer.text.split(" ")[0] if body.get("max_tokens") == 1 else answer.text
            self._send(replace(answer, text=text), body)

    def _may_enter(self) -> bool:
        return self.headers.get("authorization") == f"Bearer {self.fake.key}" or not self.fake.key

    def _send_on(self, address: str) -> None:
        self.send_response(307)
        self.send_header("location", address)
        self.send_header("content-length", "0")
        self.end_headers()

    def _send(self, answer: Scripted, body: dict[str, Any]) -> None:
        if answer.status != 200:
            self._send_json(answer, self.fake.profile.error(answer.error))
        elif body.get("stream"):
            self._send_stream(answer, wants_usage="stream_options" in body)
        else:
            usage = make_usage(answer.tokens_in, answer.tokens_out, answer.tokens_cached)
            self._send_json(answer, make_whole(answer.text, answer.finish_reason, usage))

    def _send_json(self, answer: Scripted, value: Any) -> None:
        payload = json.dumps(value).encode()
        self._send_head(answer, "application/json", len(payload))
        self.wfile.write(payload)

    def _send_stream(self, answer: Scripted, *, wants_usage: bool) -> None:
        profile = self.fake.profile
        self._send_head(answer, answer.content_type)
        self.wait(answer.silent_s)
        for event in answer.events or profile.begin():
            self._send_event(event)
        if answer.events:
            return
        for event in profile.think(list_pieces(answer.reasoning)) if answer.reasoning else ():
            self.wait(answer.piece_delay_s)
            self._send_event(event)
        for count, piece in enumerate(list_pieces(answer.text)):
            if count == answer.reset_after:
                self.reset()
                return
            self.wait(answer.piece_delay_s)
            if count == answer.held_after:
                self.wait_for(answer.goes_on)
            self._send_event(profile.write(piece))
        for index, call in enumerate(answer.tool_calls):
            for event in profile.call(index, call):
                self._send_event(event)
        self._send_end(answer, wants_usage=wants_usage)

    def _send_end(self, answer: Scripted, *, wants_usage: bool) -> None:
        profile = self.fake.profile
        if answer.breaks:
            self._send_event(profile.broken(answer.error))
        elif answer.finish_reason:
            usage = make_usage(answer.tokens_in, answer.tokens_out, answer.tokens_cached)
            for event in profile.end(answer.finish_reason, usage):
                self._send_event(event)
            if profile.usage_place == "own" and wants_usage:
                self._send_event({**make_chunk(None), "choices": [], "usage": usage})
            if profile.is_done:
                self._send_event("data: [DONE]\n\n")

    def _send_head(self, answer: Scripted, content_type: str, length: int | None = None) -> None:
        self.send_response(answer.status)
        self.send_header("content-type", content_type)
        if answer.retry_after is not None:
            self.send_header("retry-after", answer.retry_after)
        if length is not None:
            self.send_header("content-length", str(length))
        self.end_headers()
        self.wfile.flush()

    def _send_event(self, value: Any) -> None:
        """Send the JSON of an event; a text or bytes as they stand."""
        if not isinstance(value, str | bytes):
            comments = self.fake.profile.comments
            value = f"{comments}\n\n" * bool(comments) + f"data: {json.dumps(value)}\n\n"
        self.wfile.write(value if isinstance(value, bytes) else value.encode())
        self.wfile.flush()
