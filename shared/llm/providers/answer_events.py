"""Reads the answer of a server of OpenAI's protocol: events, one JSON, or what else it sends."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import httpx

from shared.llm.chunks import MAX_CHARS, Chunk, Chunks
from shared.llm.finish_reasons import read_finish_reason
from shared.llm.providers.direct_errors import (
    ServerError,
    UnreadableAnswerError,
    error_in_stream,
    means_success,
)
from shared.llm.providers.openai_chunks import first_choice, read_chunk
from shared.policy.provider_messages import message_in

LAST = re.compile(r'\s*"?\[done\]"?\s*', re.IGNORECASE)
JSON_BEGINS = ("{", "[")
WEB_PAGE = "a web page"
# The fields of an event beside `data`. A comment has a name without characters.
OTHER_FIELDS = frozenset({"event", "id", "retry", ""})
_AGAIN = re.compile(r"(?:\s*data:)+")  # a proxy may put it before each line once more
_LINE_END = re.compile(r"\r\n|\n|\r")


def read_answer(response: httpx.Response) -> Chunks:
    """Raises `ServerError` for an error, whatever the form and the place in which it comes."""
    texts, has_ended = _list_texts(response), False
    is_whole = response.headers.get("Content-Type", "").startswith("application/json")
    for text in texts:
        if LAST.fullmatch(text):
            yield Chunk(is_done=True)
            break
        if has_ended and not text.lstrip().startswith(JSON_BEGINS):
            break  # words behind the end of an answer are no part of it
        for event in _parse(text):
            chunk, fault = read_chunk(event), None if has_ended else _find_fault(event)
            if fault is None or not chunk.is_empty:
                is_done = chunk.form == "whole" or (is_whole and chunk.form == "message")
                yield replace(chunk, is_done=is_done)
            if fault is not None:
                raise fault
            has_ended = has_ended or read_finish_reason(chunk.finish_reason or "") is not None
    if "Transfer-Encoding" in response.headers:  # read to the end, so that the connection is kept
        for _ in texts:
            pass


def _parse(text: str) -> list[dict[str, Any]]:
    """The events, which may be in a list, as Gemini's server sends its errors."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise UnreadableAnswerError(_words(text)) from None
    events = value if isinstance(value, list) else [value]
    if not all(isinstance(event, dict) for event in events):
        raise UnreadableAnswerError
    return events


def _words(text: str) -> str:
    begin = text.lstrip()
    if begin.startswith("<"):
        return WEB_PAGE
    return "" if begin.startswith(JSON_BEGINS) else begin[:MAX_CHARS]


def _find_fault(event: dict[str, Any]) -> ServerError | None:
    """The error of an event that came although the head had said 200."""
    choice = first_choice(event)
    error = event.get("error") or choice.get("error")
    if not error and not choice and (event.get("object") == "error" or message_in(event)):
        error = event
    return error_in_stream(error) if error and not means_success(error) else None


def _list_texts(response: httpx.Response) -> Iterator[str]:
    """The data of each event, and each line that is a JSON object.

    All other text comes last, as one: a JSON in several lines, a page, or a word of the server's.
    """
    data: list[str] = []
    rest = _Rest()
    for line in _list_lines(response):
        name, colon, value = line.partition(":")
        if name == "data" and colon:
            if len(data) == 1 and _is_json(data[0]):  # the empty line is missing
                yield data.pop()
            again = _AGAIN.match(value)
            data.append(value[again.end() :] if again else value.removeprefix(" "))
        elif not line:
            yield from rest.take_event("\n".join(data))
            data.clear()
        elif line.startswith("{") and line.endswith("}") and not rest.lines:
            yield line
        elif (name not in OTHER_FIELDS or not colon) and not "data".startswith(line):
            rest.add(line)
    last = "\n".join(data)  # the connection may have ended within it
    if LAST.fullmatch(last) or _is_json(last):
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
