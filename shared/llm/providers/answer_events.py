"""Reads the answer of a server of OpenAI's protocol: events, one JSON, or what else it sends."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any

import httpx

from shared.llm.chunks import MAX_CHARS, Chunk, Chunks
from shared.llm.providers.direct_errors import (
    ServerError,
    UnreadableAnswerError,
    error_in_stream,
)
from shared.llm.providers.openai_chunks import first_choice, read_chunk
from shared.policy.provider_messages import message_in

LAST = "[DONE]"
JSON_BEGINS = ("{", "[")
WEB_PAGE = "a web page"
# The fields of an event beside `data`. A comment has a name without characters.
OTHER_FIELDS = frozenset({"event", "id", "retry", ""})
_LINE_END = re.compile(r"\r\n|\n|\r")


def read_answer(response: httpx.Response) -> Chunks:
    """Raises `ServerError` for an error, whatever the form and the place in which it comes."""
    texts, has_ended = _list_texts(response), False
    for text in texts:
        if text.strip() == LAST:
            yield Chunk(is_done=True)
            break
        if has_ended and not text.lstrip().startswith(JSON_BEGINS):
            break  # words behind the end of an answer are no part of it
        event = _parse(text)
        chunk, fault = read_chunk(event), _find_fault(event)
        if fault is None or not chunk.is_empty:
            yield chunk
        if fault is not None:
            raise fault
        has_ended = has_ended or chunk.finish_reason is not None
    if "Transfer-Encoding" in response.headers:  # read to the end, so that the connection is kept
        for _ in texts:
            pass


def _parse(text: str) -> dict[str, Any]:
    try:
        event = json.loads(text)
    except (ValueError, RecursionError):
        raise UnreadableAnswerError(_words(text)) from None
    if isinstance(event, list):  # as Gemini's server sends its errors
        event = next(iter(event), None)
    if not isinstance(event, dict):
        raise UnreadableAnswerError
    return event


def _words(text: str) -> str:
    begin = text.lstrip()
    if begin.startswith("<"):
        return WEB_PAGE
    return "" if begin.startswith(JSON_BEGINS) else begin[:MAX_CHARS]


def _find_fault(event: dict[str, Any]) -> ServerError | None:
    """The error of an event that came although the head had said 200."""
    choice = first_choice(event)
    if error := event.get("error") or choice.get("error"):
        return error_in_stream(error)
    if not choice and (event.get("object") == "error" or message_in(event)):
        return error_in_stream(event)
    return None


def _list_texts(response: httpx.Response) -> Iterator[str]:
    """The data of each event, and each line that is a JSON object.

    All other text comes last, as one: a JSON in several lines, a page, or a word of the server's.
    """
    data: list[str] = []
    rest = _Rest()
    for line in _list_lines(response):
        name, colon, value = line.partition(":")
        if name == "data" and colon:
            data.append(value.removeprefix(" "))
        elif not line:
            yield from rest.take_event("\n".join(data))
            data.clear()
        elif line.startswith("{") and line.endswith("}") and not rest.lines:
            yield line
        elif name not in OTHER_FIELDS or not colon:
            rest.add(line)
    last = "\n".join(data)  # the connection may have ended within it
    if last.strip() == LAST or _is_json(last):
        yield last
    if rest.lines:
        yield "\n".join(rest.lines)


class _Rest:
    """The lines that belong to no event of the protocol, up to `MAX_CHARS` characters."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._chars = 0

    def add(self, line: str) -> None:
        self._chars += len(line)
        if self._chars <= MAX_CHARS:
            self.lines.append(line)

    def take_event(self, data: str) -> Iterator[str]:
        """Yields the data of an event, unless it is no JSON."""
        if data.lstrip().startswith(JSON_BEGINS):
            yield data
        elif data:
            self.add(data)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _list_lines(response: httpx.Response) -> Iterator[str]:
    """The lines of a text in UTF-8, which any newline ends. The last one needs none."""
    decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
    begin: list[str] = []  # of a line
    ends_with_return = False
    for piece in response.iter_bytes():
        text = decoder.decode(piece)
        if ends_with_return:
            text = text.removeprefix("\n")
        ends_with_return = text.endswith("\r")
        first, *lines = _LINE_END.split(text)
        begin.append(first)
        for line in lines:
            yield "".join(begin)
            begin = [line]
    yield "".join([*begin, decoder.decode(b"", final=True)])
