"""Files as large as an import may be, and larger ones."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable, Iterator

from tests.integration.web.conftest import Browser
from tests.integration.web.transfers import (
    JSON,
    dialogue,
    send,
    utterance,
)
from tests.refusals import code_of


def test_a_file_beyond_the_limit_is_refused_and_a_long_one_below_it_is_not(
    make_browser: Callable[..., Browser],
) -> None:
    browser = make_browser(import_max_bytes=2_000_000)
    messages = [utterance(role, "long " * 140_000) for role in ("user", "assistant")]
    long = dialogue(messages=messages)  # longer than any other request may be
    assert send(browser, long)["conversations"]["imported"] == 1
    answer = browser.client.post("/api/v1/imports", data=b" " * 2_000_001, headers=JSON)
    assert (answer.status_code, code_of(answer)) == (413, "too_large")


class Generated:
    """A file that nobody holds: a list of conversations, each made when it is read."""

    def __init__(self, conversations: int, filler_chars: int) -> None:
        self._pieces = self._make(conversations, "tool output " * (filler_chars // 12))
        self._waiting = b""
        self.size = 0

    def read(self, size: int = -1) -> bytes:
        while len(self._waiting) < size:
            piece = next(self._pieces, b"")
            if not piece:
                break
            self._waiting += piece
        head, self._waiting = self._waiting[:size], self._waiting[size:]
        self.size += len(head)
        return head

    @staticmethod
    def _make(conversations: int, filler: str) -> Iterator[bytes]:
        for number in range(conversations):
            messages = [*dialogue(rounds=5)["messages"], utterance("tool", filler)]
            text = json.dumps({"id": f"g-{number}", "messages": messages})
            yield (b"[" if number == 0 else b",") + text.encode()
        yield b"]"


def test_a_file_of_50_megabytes_is_never_held_as_a_whole(browser: Browser) -> None:
    send(browser, dialogue())  # what is loaded at the first import is not counted
    file = Generated(conversations=60, filler_chars=900_000)
    tracemalloc.start()
    try:
        answer = browser.client.post(
            "/api/v1/imports",
            headers=JSON | {"Transfer-Encoding": "chunked"},
            environ_overrides={"wsgi.input": file, "wsgi.input_terminated": True},
        )
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert answer.get_json()["conversations"]["imported"] == 60, answer.text
    assert answer.get_json()["left_out"] == {"tool": 60}
    assert file.size > 50_000_000
    assert peak < 12_000_000
