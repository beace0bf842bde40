"""A model that answers at once, for `bench.peers`: one fact for each request, in the asker's form.

Every message that is added says "My locker number 17 is blue." The newest one, which has the
greatest number of a request, becomes the fact. A request for a fact in the product's form is told
by its prompt.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SAID = "My locker number {number} is {colour}."
NUMBERS = re.compile(r"locker number (\d+) is (\w+)")
SEQUENCES = re.compile(r"<message seq=\W+(\d+)")
USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
OUR_PROMPT = "lasting facts about the user"


@contextmanager
def running_model() -> Iterator[str]:
    """Listens on a free loopback port until the block ends; the value is its base URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()


def answer(prompt: str) -> dict[str, Any]:
    number, colour = max(NUMBERS.findall(prompt), key=lambda pair: int(pair[0]))
    if OUR_PROMPT not in prompt:
        text = SAID.format(number=number, colour=colour)
        return {"memory": [{"id": "0", "text": text, "attributed_to": "user"}]}
    sequence = max(map(int, SEQUENCES.findall(prompt)))
    fact = {
        "category": "identity",
        "key": f"locker_{number}",
        "value": colour,
        "confidence": 1.0,
        "importance": 0.8,
        "seq": sequence,
        "retracts": False,
    }
    return {"facts": [fact]}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        prompt = "\n".join(str(message["content"]) for message in request["messages"])
        content = json.dumps(answer(prompt))
        if request.get("stream"):
            self._send("text/event-stream", _as_events(request["model"], content))
        else:
            message = {"role": "assistant", "content": content}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            whole = _object("chat.completion", request["model"], [choice]) | {"usage": USAGE}
            self._send("application/json", json.dumps(whole))

    def _send(self, content_type: str, text: str) -> None:
        payload = text.encode()
        self.send_response(200)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


def _as_events(model: str, content: str) -> str:
    """All of it in one piece, as a stream."""
    piece = {"index": 0, "delta": {"role": "assistant", "content": content}, "finish_reason": None}
    end = {"index": 0, "delta": {}, "finish_reason": "stop"}
    kind = "chat.completion.chunk"
    chunks = [
        _object(kind, model, [piece]),
        _object(kind, model, [end]),
        _object(kind, model, []) | {"usage": USAGE},
    ]
    return "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"


def _object(kind: str, model: str, choices: list[dict[str, Any]]) -> dict[str, Any]:
    return {"id": "1", "object": kind, "created": 1, "model": model, "choices": choices}
