"""Reads JSON as a stream of events, and builds values from them in bounded memory."""

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

Event = tuple[str, Any]


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True)
class TooLarge:
    """Stands for a value of more than `MAX_VALUE_BYTES`."""


class _Metered:
    """Limits the length of one value, because the parser keeps the whole value in memory."""

    def __init__(self, source: Readable) -> None:
        self._source = source
        self._is_first = True
        self.unparsed = 0  # bytes since the last event

    def read(self, size: int) -> bytes:
        if size == 0:  # ijson tests once whether it gets bytes or text
            return b""
        if self.unparsed > MAX_TEXT_BYTES:
            raise BrokenImportError("The file holds a text that is too long.")
        piece = self._source.read(size)
        if self._is_first and piece:
            self._is_first = False
            piece = piece.removeprefix(BYTE_ORDER_MARK) or self._source.read(size)
        self.unparsed += len(piece)
        return piece


def read_events(source: Readable) -> Iterator[Event]:
    """Raises `BrokenImportError` where the JSON is broken.

    The parser may return an event with an exception set, for a number of thousands of digits.
    Python notices that at the next call from C, which `map` makes here, as a `SystemError`. An
    exponent that is too large is an `ArithmeticError`, of `decimal`.
    """
    metered = _Metered(source)
    try:
        for event in map(tuple, ijson.basic_parse(metered, buf_size=READ_BYTES)):
            metered.unparsed = 0
            yield event
    except (ijson.JSONError, ValueError, ArithmeticError, SystemError) as exc:
        raise BrokenImportError from exc


def each_item(events: Iterator[Event]) -> Iterator[Event]:
    """The first event of each item of a list. The caller takes the others."""
    for first in events:
        if first[0] == "end_array":
            return
        yield first


def each_member(events: Iterator[Event]) -> Iterator[tuple[str, Event]]:
    """The key and the first event of each member of an object. The caller takes the others."""
    for kind, key in events:
        if kind == "end_map":
            return
        yield key, next(events)


def members_of(first: Event, events: Iterator[Event]) -> Iterator[tuple[str, Event]]:
    """Yields what `each_member` does. Another value than an object is skipped, and has none."""
    if first[0] == "start_map":
        yield from each_member(events)
    else:
        skip_value(first, events)


def build_value(first: Event, events: Iterator[Event], limit: int, leave_out: str = "") -> object:
    """The value that begins with `first`, without its member `leave_out`.

    A value that is too large is read, but not kept.
    """
    builder = ijson.ObjectBuilder()
    size = 0
    for kind, value in _one_value(first, events, leave_out):
        size += EVENT_BYTES + (getsizeof(value) if isinstance(value, str) else 0)
        if size <= limit:
            builder.event(kind, value)
        else:
            builder = None
    return TooLarge() if builder is None else builder.value


def skip_value(first: Event, events: Iterator[Event]) -> None:
    for _ in _one_value(first, events):
        pass


def _one_value(first: Event, events: Iterator[Event], leave_out: str = "") -> Iterator[Event]:
    depth = 0
    rest: Iterable[Event] = chain([first], events)
    for event in rest:
        kind, value = event
        if depth == 1 and kind == "map_key" and value == leave_out:
            skip_value(next(events), events)
            continue
        yield event
        depth += DEPTHS.get(kind, 0)
        if depth == 0:
            return
