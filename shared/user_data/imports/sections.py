"""Reads one section of a document that was outlined, whatever order its keys have."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

from shared.user_data.imports.formats import LIST_KEYS
from shared.user_data.imports.json_stream import (
    MAX_VALUE_BYTES,
    Event,
    Readable,
    build_value,
    each_item,
    each_member,
    members_of,
    read_events,
    skip_value,
)
from shared.user_data.imports.outline import Outline, Section

FILE_KEYS = ("attachment_id", "name", "content")
BRANCHES = "branches"


class Item(NamedTuple):
    section: Section
    value: object
    #: The position of a branch's chat in its list.
    chat_index: int | None = None


class Limits(NamedTuple):
    """The most bytes in memory of one value, and of a file of our own export."""

    value: int = MAX_VALUE_BYTES
    file: int = MAX_VALUE_BYTES


def read_section(
    source: Readable, section: Section, limits: Limits, outline: Outline
) -> Iterator[Item]:
    """The items of a section. A value may be `TooLarge`; of an attachment, each member may be.

    Conversations are a list, a list in an object, or the document itself. They come without their
    branches.
    """
    events = read_events(source)
    kind, _ = first = next(events)
    if outline.is_chat and section == "conversations":
        yield Item("conversations", build_value(first, events, limits.value, BRANCHES))
    elif section == "conversations":
        yield from _conversations(kind, events, limits.value)
    elif section == "branches":
        yield from _branches(kind, events, limits.value)
    else:
        yield from _own_section(events, section, limits)


def _conversations(kind: str, events: Iterator[Event], limit: int) -> Iterator[Item]:
    if kind == "start_array":
        for first in each_item(events):
            yield Item("conversations", build_value(first, events, limit, BRANCHES))
        return
    for key, first in each_member(events):
        if _is_list(key, first):
            yield from _conversations("start_array", events, limit)
        else:
            skip_value(first, events)


def _branches(kind: str, events: Iterator[Event], limit: int) -> Iterator[Item]:
    """Those of each chat of the lists."""
    places = itertools.count()
    if kind == "start_array":
        yield from _branches_in_list(events, places, limit)
        return
    for key, first in each_member(events):
        if _is_list(key, first):
            yield from _branches_in_list(events, places, limit)
        else:
            skip_value(first, events)


def _branches_in_list(events: Iterator[Event], places: Iterator[int], limit: int) -> Iterator[Item]:
    for chat, index in zip(each_item(events), places, strict=False):
        for branch in _branches_of(chat, events, limit):
            yield Item("branches", branch, index)


def _branches_of(chat: Event, events: Iterator[Event], limit: int) -> Iterator[object]:
    """Each branch has the limit for itself."""
    for key, first in members_of(chat, events):
        if key == BRANCHES and first[0] == "start_array":
            for branch in each_item(events):
                yield build_value(branch, events, limit)
        else:
            skip_value(first, events)


def _own_section(events: Iterator[Event], section: Section, limits: Limits) -> Iterator[Item]:
    """Our own export has each of its sections once."""
    for key, first in each_member(events):
        if key != section:
            skip_value(first, events)
        elif section == "attachments":
            yield from _files(events, limits.file)
            return
        else:
            yield Item(section, build_value(first, events, limits.value))
            return


def _files(events: Iterator[Event], limit: int) -> Iterator[Item]:
    """Read what matters of each file: one that is too large still has its id and name."""
    for file in each_item(events):
        built: dict[str, object] = {}
        for key, first in members_of(file, events):
            if key in FILE_KEYS:
                built[key] = build_value(first, events, limit)
            else:
                skip_value(first, events)
        yield Item("attachments", built)


def _is_list(key: str, first: Event) -> bool:
    return key in LIST_KEYS and first[0] == "start_array"
