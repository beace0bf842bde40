"""Splits a stream of bytes into JSON values, in bounded memory: conversations, and what else an
export of ours holds that can be imported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from sys import getsizeof
from typing import Any, Literal, NamedTuple, Protocol, get_args

import ijson

from shared.errors import BrokenImportError, UnknownFormError

READ_BYTES = 65_536
# Of one conversation in memory. Larger conversations are skipped.
MAX_VALUE_BYTES = 32 * 1024 * 1024
# Of one string. The parser copies a string several times before its length is known.
MAX_TEXT_BYTES = 4 * 1024 * 1024
EVENT_BYTES = 64  # roughly a small value in Python's memory
BYTE_ORDER_MARK = b"\xef\xbb\xbf"

DEPTHS = {"start_map": 1, "start_array": 1, "end_map": -1, "end_array": -1}
# An object with one of these members is itself a conversation.
CONTENT_KEYS = frozenset({"messages", "mapping", "chat_messages", "chat", "history"})
CONVERSATION_KEYS = CONTENT_KEYS | {
    "agent", "archived", "conversationId", "conversation_id", "create_time", "createdAt",
    "created_at", "current_node", "id", "branched_at", "branched_from",
    "current_leaf_message_uuid", "is_archived", "is_pinned", "mode", "name", "pinned",
    "project", "source_key", "timestamp", "title", "uuid",
}  # fmt: skip

LIST_KEYS = ("conversations", "history")

# In our own export only. Its files come one by one, the others as whole lists.
OWN_FORMAT = "throughline-export"
FILE_KEYS = ("attachment_id", "name", "content")
Section = Literal[
    "conversations", "attachments", "personas", "projects", "prompts", "facts", "forgotten_facts"
]  # fmt: skip

Event = tuple[str, Any]


class Item(NamedTuple):
    section: Section
    value: object


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True)
class TooLarge:
    """Stands for a value of more than `MAX_VALUE_BYTES`."""


def split_document(
    source: Readable, limit: int = MAX_VALUE_BYTES, file_limit: int = MAX_VALUE_BYTES
) -> Iterator[Item]:
    """Each conversation's JSON value, or `TooLarge`; of our own export its other sections, too.

    A file is a list of conversations, an object with such a list under "conversations" (or
    "history", as in Chatbot UI), or one conversation. Of an attachment each member may be
    `TooLarge` by itself. Raises `BrokenImportError` where the JSON is broken, after all values
    before it, and `UnknownFormError` for another object.
    """
    events = _events(_Metered(source, min(limit, MAX_TEXT_BYTES)))
    kind, _ = next(events)
    if kind == "start_array":
        yield from _conversations(events, limit)
    elif kind == "start_map":
        yield from _members(events, limit, file_limit)
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

    Python notices that at the next call from C, which `map` makes here, as a `SystemError`. An
    exponent that is too large is an `ArithmeticError`, of `decimal`.
    """
    try:
        for event in map(tuple, ijson.basic_parse(source, buf_size=READ_BYTES)):
            source.unparsed = 0
            yield event
    except (ijson.JSONError, ValueError, ArithmeticError, SystemError) as exc:
        raise BrokenImportError from exc


def _conversations(events: Iterator[Event], limit: int) -> Iterator[Item]:
    """Each conversation, and behind it its branches, as conversations of their own."""
    for first in _each(events):
        outer = _UntilBranches(events)
        is_object = first[0] == "start_map"
        value = _build(first, outer if is_object else events, limit)
        early = value.pop("branches", None) if isinstance(value, dict) else None
        yield Item("conversations", value)
        for branch in early if isinstance(early, list) else ():
            yield Item("conversations", branch)
        if outer.is_cut:
            yield from _branches(events, limit)


class _UntilBranches:
    """The events of an object after its first one. They end before "branches" behind "messages".

    So each branch of our own export has the limit for itself.
    """

    def __init__(self, events: Iterator[Event]) -> None:
        self._events = events
        self._depth = 1
        self._has_messages = False
        self.is_cut = False

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        event = next(self._events)
        if self._depth == 1 and event[0] == "map_key":
            if event[1] == "branches" and self._has_messages:
                self.is_cut = True
                return "end_map", None
            self._has_messages = self._has_messages or event[1] == "messages"
        self._depth += DEPTHS.get(event[0], 0)
        return event


def _branches(events: Iterator[Event], limit: int) -> Iterator[Item]:
    """The value of "branches", and the rest of the object, which is skipped."""
    first = next(events)
    if first[0] == "start_array":
        for branch in _each(events):
            yield Item("conversations", _build(branch, events, limit))
    else:
        _skip_value(first, events)
    for kind, _ in events:
        if kind == "end_map":
            return
        _skip_value(next(events), events)


def _each(events: Iterator[Event]) -> Iterator[Event]:
    """The first event of each item of a list. The caller takes the others."""
    for first in events:
        if first[0] == "end_array":
            return
        yield first


def _members(events: Iterator[Event], limit: int, file_limit: int) -> Iterator[Item]:
    conversation: dict[str, object] = {}
    is_ours = is_known = False
    for kind, key in events:
        if kind == "end_map":
            break
        first = next(events)
        if key == "format":
            is_ours = first == ("string", OWN_FORMAT)
        if key in LIST_KEYS and first[0] == "start_array":
            is_known = True
            yield from _conversations(events, limit)
        elif is_ours and key in get_args(Section) and first[0] == "start_array":
            if key == "attachments":
                yield from _files(events, file_limit)
            else:
                yield Item(key, _build(first, events, limit))
        elif key in CONVERSATION_KEYS:
            conversation[key] = _build(first, events, limit)
        else:
            _skip_value(first, events)
    if CONTENT_KEYS & conversation.keys():
        too_large = any(isinstance(value, TooLarge) for value in conversation.values())
        yield Item("conversations", TooLarge() if too_large else conversation)
    elif not (is_ours or is_known):
        raise UnknownFormError


def _files(events: Iterator[Event], limit: int) -> Iterator[Item]:
    for first in _each(events):
        if first[0] == "start_map":
            yield Item("attachments", _build_file(events, limit))
        else:
            _skip_value(first, events)


def _build_file(events: Iterator[Event], limit: int) -> dict[str, object]:
    """The members that matter. So a file that is too large still has its id and its name."""
    built: dict[str, object] = {}
    for kind, key in events:
        if kind == "end_map":
            break
        first = next(events)
        if key in FILE_KEYS:
            built[key] = _build(first, events, limit)
        else:
            _skip_value(first, events)
    return built


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
