"""Imports the conversations of an upload, or the branches of its chats.

One query says of many which are here already. A branch whose origin comes later in the file waits
until the file is read again.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from shared.errors import UnreadableConversationError
from shared.services import Services
from shared.store import imports
from shared.store.imports import Tally
from shared.store.upkeep.imported_conversations import find_known, list_known
from shared.user_data.imports.alternation import alternate
from shared.user_data.imports.chat import Chat, import_chat
from shared.user_data.imports.conversation_reader import read_conversations
from shared.user_data.imports.outline import Section
from shared.user_data.imports.sections import Item
from shared.user_data.imports.target import Target, add_note
from shared.user_data.imports.upload import Upload

BATCH = 100  # items
BATCH_CHARS = 1_000_000
MAX_READINGS = 10  # of one section, for branches whose origins come later


@dataclass(kw_only=True)
class Entry:
    """An item of the file: a conversation, and what its program no longer shows of it."""

    #: Among the items of its section, from 0.
    place: int
    index: int
    chats: list[Chat] = field(default_factory=list)
    #: Why the rest cannot be read.
    error: UnreadableConversationError | None = None


def import_conversations(
    services: Services, target: Target, tally: Tally, upload: Upload, section: Section
) -> Tally:
    places: Collection[int] | None = None  # None: all
    may_wait = True
    for number in itertools.count(1):
        waiting: set[int] = set()
        for batch in _read_batches(target, upload.read(section), places):
            tally, late_places = _import_batch(services, target, tally, batch, may_wait=may_wait)
            waiting |= late_places
        if not waiting:
            break
        may_wait = waiting != places and number < MAX_READINGS
        places = waiting
    return tally


def _import_batch(
    services: Services, target: Target, tally: Tally, batch: Sequence[Entry], *, may_wait: bool
) -> tuple[Tally, set[int]]:
    """Returns the places of branches that wait for their origins, too."""
    tally = _pass_known(services, target, tally, batch)
    waiting = set()
    for entry in batch:
        if may_wait and any(_lacks_origin(services, target, chat) for chat in entry.chats):
            waiting.add(entry.place)
        else:
            tally = _import_entry(services, target, tally, entry)
    return tally, waiting


def _read_batches(
    target: Target, items: Iterable[Item], places: Collection[int] | None
) -> Iterator[list[Entry]]:
    """The items at these places, so many at a time that memory holds them."""
    batch: list[Entry] = []
    size = 0
    for place, item in enumerate(items):
        if places is not None and place not in places:
            continue
        index = place if item.chat_index is None else item.chat_index
        batch.append(_read_entry(target, Entry(place=place, index=index), item.value))
        size += sum(chat.size for chat in batch[-1].chats)
        if len(batch) == BATCH or size > BATCH_CHARS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _read_entry(target: Target, entry: Entry, value: object) -> Entry:
    try:
        for past in read_conversations(value, with_branches=target.with_branches):
            rounds = alternate(past, datetime.now(UTC))
            entry.chats.append(Chat(index=entry.index, past=past, rounds=rounds))
    except UnreadableConversationError as exc:
        entry.error = exc
    return entry


def _pass_known(services: Services, target: Target, tally: Tally, batch: Sequence[Entry]) -> Tally:
    """Take from the batch what is here already and has nothing to add. It is counted."""
    pasts = [chat.past for entry in batch for chat in entry.chats]
    with services.database.transaction(user=target.user_id) as connection:
        known = list_known(
            connection,
            target.user_id,
            [past.source_key for past in pasts],
            [own_id for past in pasts for own_id in past.own_ids],
        )
        imports.save_tally(connection, target.import_id, tally)
    for entry in batch:
        new_chats = []
        for chat in entry.chats:
            here = known.find(chat.past.source_key, chat.past.own_ids)
            if here and chat.adds_nothing(here, target.places):
                tally = replace(tally, skipped=tally.skipped + (not here.is_branch))
            else:
                new_chats.append(chat)
        entry.chats = new_chats
    return tally


def _lacks_origin(services: Services, target: Target, chat: Chat) -> bool:
    """Whether it is a branch of a conversation that is not here yet."""
    branch = chat.past.branch
    if branch is None or branch.is_hidden:
        return False
    with services.database.transaction(user=target.user_id) as connection:
        ids = [branch.conversation_id]
        return find_known(connection, target.user_id, branch.source_key, ids) is None


def _import_entry(services: Services, target: Target, tally: Tally, entry: Entry) -> Tally:
    """An unreadable conversation is noted, and no error is raised."""
    error = entry.error
    try:
        for chat in entry.chats:
            tally = import_chat(services, target, tally, chat)
    except UnreadableConversationError as exc:
        error = exc
    if error is None:
        return tally
    tally = replace(tally, failed=tally.failed + 1)
    return add_note(tally, entry.index, error.code, error.message)
