"""Splits a stream of bytes into the JSON values of conversations, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from sys import getsizeof
from typing import Any, Protocol

import ijson

from shared.errors import BrokenImportError

READ_BYTES = 65_536
# Of one conversation in memory. Larger conversations are skipped.
MAX_VALUE_BYTES = 32 * 1024 * 1024
# Of one string. The parser copies a string several times before its length is known.
MAX_TEXT_BYTES = 4 * 1024 * 1024
EVENT_BYTES = 64  # roughly a small value in Python's memory
BYTE_ORDER_MARK = b"\xef\xbb\xbf"

DEPTHS = {"start_map": 1, "start_array": 1, "end_map": -1, "end_array": -1}
# An object with one of these members is itself a conversation.
CONTENT_KEYS = frozenset({"messages", "mapping"})
CONVERSATION_KEYS = CONTENT_KEYS | {
    "agent", "conversation_id", "create_time", "created_at", "current_node", "id",
    "is_archived", "is_pinned", "mode", "source_key", "title",
}  # fmt: skip

Event = tuple[str, Any]


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True)
class TooLarge:
    """Stands for a conversation of more than `MAX_VALUE_BYTES`."""


def split_conversations(source: Readable, limit: int = MAX_VALUE_BYTES) -> Iterator[object]:
    """Each conversation's JSON value, or `TooLarge`.

    A file is a list of conversations, an object with such a list under "conversations", or one
    conversation. Raises `BrokenImportError` where the JSON is broken, after all values before it.
    """
    events = _events(_Metered(source, min(limit, MAX_TEXT_BYTES)))
    kind, _ = next(events)
    if kind == "start_array":
        yield from _items(events, limit)
    elif kind == "start_map":
        yield from _members(events, limit)
    else:
        raise BrokenImportError("The file is neither a list of conversations nor an object.")
    for _ in events:
        pass  # raises if anything follows the document


class _Metered:
    """Limits the length of one value, because the parser keeps the whole value in memory."""

    def __init__(self, source: Readable, limit: int) -> None:
        self._source = source
        self._limit = limit
        self._is_first = True
        self.unparsed = 0  # bytes since the last event

    def read(self, size: int) -> bytes:
        if size == 0:  # ijson tests once whether it gets bytes or text
            return b""
        if self.unparsed > self._limit:
            raise BrokenImportError("The file holds a text that is too long.")
        piece = self._source.read(size)
        if self._is_first and piece:
            self._is_first = False
            piece = piece.removeprefix(BYTE_ORDER_MARK) or self._source.read(size)
        self.unparsed += len(piece)
        return piece


def _events(source: _Metered) -> Iterator[Event]:
    """The parser may return an event with an exception set, for a number of thousands of digits.

    Python notices that at the next call from C, which `map` makes here, as a `SystemError`.
    """
    try:
        for event in map(tuple, ijson.basic_parse(source, buf_size=READ_BYTES)):
            source.unparsed = 0
            yield event
    except (ijson.JSONError, ValueError, SystemError) as exc:
        raise BrokenImportError from exc


def _items(events: Iterator[Event], limit: int) -> Iterator[object]:
    for first in events:
        if first[0] == "end_array":
            return
        yield _build(first, events, limit)


def _members(events: Iterator[Event], limit: int) -> Iterator[object]:
    own: dict[str, object] = {}
    for kind, key in events:
        if kind == "end_map":
            break
        first = next(events)
        if key == "conversations" and first[0] == "start_array":
            yield from _items(events, limit)
        elif key in CONVERSATION_KEYS:
            own[key] = _build(first, events, limit)
        else:
            _skip_value(first, events)
    if CONTENT_KEYS & own.keys():
        too_large = any(isinstance(value, TooLarge) for value in own.values())
        yield TooLarge() if too_large else own


def _build(first: Event, events: Iterator[Event], limit: int) -> object:
    """The value that begins with `first`. A value that is too large is read, but not kept."""
    builder = ijson.ObjectBuilder()
    size = 0
    for kind, value in _one_value(first, events):
        size += EVENT_BYTES + (getsizeof(value) if isinstance(value, str) else 0)
        if size <= limit:
            builder.event(kind, value)
        else:
            builder = None
    return TooLarge() if builder is None else builder.value


def _skip_value(first: Event, events: Iterator[Event]) -> None:
    for _ in _one_value(first, events):
        pass


def _one_value(first: Event, events: Iterator[Event]) -> Iterator[Event]:
    depth = 0
    rest: Iterable[Event] = chain([first], events)
    for event in rest:
        yield event
        depth += DEPTHS.get(event[0], 0)
        if depth == 0:
            return
