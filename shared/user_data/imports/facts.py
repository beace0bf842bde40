"""Facts of an export, with their versions. A slot that has one here already stays as it is.

Instructions and constraints steer replies, so they never come from a file alone, and neither does
what reads like an order: those that were said in a chat are suggested when that has been read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shared.db import PgConnection, enter_memory
from shared.errors import UnreadableConversationError
from shared.models import Candidate, fact_learned
from shared.models.memory_scope import ALL_MEMORIES, SHARED_MEMORY, MemoryScope, memory_of
from shared.policy.facts.conflict import Record, is_forgotten
from shared.policy.facts.secret_patterns import SecretPattern
from shared.policy.facts.secrets import is_own_secret
from shared.policy.facts.steering import steers
from shared.services import Services
from shared.store import events, imports, projects, users
from shared.store.facts import forgotten, restored, suggestions
from shared.store.facts import versions as fact_versions
from shared.store.imports import Tally
from shared.user_data.imports.past_conversation import PastConversation
from shared.user_data.imports.past_facts import (
    NumberedVersion,
    Slot,
    read_forgotten,
    read_slots,
)
from shared.user_data.imports.projects import find_place
from shared.user_data.imports.target import FactSource, Placed, Target, add_note

MAX_FACTS = 10_000  # versions of one import
CODE = "facts"
UNREADABLE = "{count} facts cannot be read, and were left out."
STEERING = (
    "{count} instructions and constraints, or facts that read like orders, are not taken from a "
    "file. What was said in a chat is learned or suggested when that has been read; enter the "
    "others again."
)
WITH_SECRETS = (
    "{count} facts hold a secret, which this site never keeps as a fact, and were left out."
)
TOO_MANY = "There are more facts than one import may bring. The rest were left out."


class LeftOut(NamedTuple):
    """How many slots of one memory."""

    unreadable: int
    steering: int
    secret: int


def import_facts(services: Services, target: Target, tally: Tally, value: object) -> Tally:
    """Import the facts. Raises `ConflictError` when the user has deleted everything."""
    listed = value if isinstance(value, list) else []
    with services.database.transaction(user=target.user_id) as connection:
        users.lock_user(connection, target.user_id)
        imports.lock_import(connection, target.import_id)
        patterns = services.settings.own_secrets
        left_out, unplaced = [], 0
        for project, items in _by_project(listed[:MAX_FACTS]).items():
            memory = _find_memory(connection, target, project)
            if memory is None:
                unplaced += len(items)
                continue
            enter_memory(connection, memory)
            left_out.append(_import_memory(connection, target, items, patterns))
        if unreadable := unplaced + sum(count.unreadable for count in left_out):
            tally = add_note(tally, None, CODE, UNREADABLE.format(count=unreadable))
        if steering := sum(count.steering for count in left_out):
            tally = add_note(tally, None, CODE, STEERING.format(count=steering))
        if secret := sum(count.secret for count in left_out):
            tally = add_note(tally, None, CODE, WITH_SECRETS.format(count=secret))
        if len(listed) > MAX_FACTS:
            tally = add_note(tally, None, CODE, TOO_MANY)
        imports.save_tally(connection, target.import_id, tally)
    return tally


def _by_project(listed: Sequence[object]) -> dict[str | None, list[object]]:
    groups: dict[str | None, list[object]] = {}
    for item in listed:
        project = item.get("project") if isinstance(item, dict) else None
        groups.setdefault(str(project) if project is not None else None, []).append(item)
    return groups


def _find_memory(
    connection: PgConnection, target: Target, project: str | None
) -> MemoryScope | None:
    """None: the file names a project that keeps nothing inside. Its facts would be shared."""
    if project is None:
        return SHARED_MEMORY
    text = projects.find_text(connection, target.user_id, find_place(target, project) or "")
    return memory_of(text.name) if text and text.own_memory else None


def _import_memory(
    connection: PgConnection, target: Target, items: Sequence[object], patterns: SecretPattern
) -> LeftOut:
    slots = read_slots(items)
    readable = [slot for slot in slots if slot]
    harmless = [slot for slot in readable if not any(_steers(version) for version in slot)]
    allowed = [slot for slot in harmless if not any(_is_secret(each, patterns) for each in slot)]
    refused = _restore(connection, target, allowed)
    return LeftOut(
        unreadable=len(slots) - len(readable) + refused,
        steering=len(readable) - len(harmless),
        secret=len(harmless) - len(allowed),
    )


def import_forgotten(services: Services, target: Target, tally: Tally, value: object) -> Tally:
    """Import the marks of deleted facts, so that these are not learned again from old messages.

    Raises `ConflictError` when the user has deleted everything.
    """
    listed = value if isinstance(value, list) else []
    with services.database.transaction(user=target.user_id) as connection:
        users.lock_user(connection, target.user_id)
        imports.lock_import(connection, target.import_id)
        for mark in read_forgotten(listed[:MAX_FACTS]):
            forgotten.add_forgotten(connection, target.user_id, mark)
        imports.save_tally(connection, target.import_id, tally)
    return tally


def link_sources(
    connection: PgConnection, target: Target, past: PastConversation, placed: Placed
) -> None:
    """Tell restored facts which messages have taught them."""
    user_id = target.user_id
    waiting = [source for known in past.own_ids for source in target.places.sources.pop(known, ())]
    if not waiting:
        return
    users.lock_user(connection, user_id)
    enter_memory(connection, ALL_MEMORIES)
    places = {
        number: at for at, utterance in enumerate(placed.messages) for number in utterance.numbers
    }
    for source in waiting:
        place = places.get(source.number)
        if place is not None:
            restored.set_source(connection, user_id, source.fact_id, placed.conversation_id, place)


def _restore(connection: PgConnection, target: Target, slots: Sequence[Slot]) -> int:
    """Restore the slots of facts. Returns how many hold values that cannot be stored."""
    user_id = target.user_id
    record = Record(
        user_id=user_id,
        heads=fact_versions.list_newest_by_slot(connection, user_id),
        forgotten=forgotten.list_forgotten(connection, user_id),
    )
    numbers: dict[int, int] = {}
    refused = 0
    for slot in slots:
        if _is_known(slot, record):
            continue
        try:
            with restored.all_or_none(connection):
                numbers |= _restore_slot(connection, target, slot)
        except UnreadableConversationError:
            refused += 1
    for slot in slots:
        for version in slot:
            if version.number in numbers and version.successor in numbers:
                new = numbers[version.number], numbers[version.successor]
                restored.set_successor(connection, user_id, *new)
    return refused


def _steers(version: NumberedVersion) -> bool:
    return steers(version.version.category, version.version.key, version.version.value)


def _is_secret(version: NumberedVersion, patterns: SecretPattern) -> bool:
    return is_own_secret(version.version.key, version.version.value, patterns)


def _is_known(slot: Slot, record: Record) -> bool:
    """Whether the user has such a fact here, or has deleted it since it was exported."""
    first = slot[0].version
    if (first.category, first.key) in record.heads:
        return True
    return any(is_forgotten(_candidate(version), record) for version in slot)


def _candidate(version: NumberedVersion) -> Candidate:
    past = version.version
    return Candidate(
        category=past.category,
        key=past.key,
        value=past.value,
        confidence=past.confidence,
        importance=past.importance,
        retracts=False,
        said_at=past.valid_to or past.confirmed_at or past.valid_from,
        turn=past.confirmed_at_turn,
        source_conversation_id=None,
        source_sequence=None,
    )


def _restore_slot(connection: PgConnection, target: Target, slot: Slot) -> dict[int, int]:
    """Restore the versions of one slot. Returns their new ids by those of the file."""
    numbers: dict[int, int] = {}
    for version in slot:
        fact = restored.restore_version(connection, target.user_id, version.version)
        if fact.is_active:
            events.add_event(connection, target.user_id, fact_learned(fact))
            suggestions.delete_open(connection, target.user_id, fact.category, fact.key)
        if version.number is not None:
            numbers[version.number] = fact.fact_id
        if version.conversation is not None and fact.source_sequence is not None:
            waiting = target.places.sources.setdefault(version.conversation, [])
            waiting.append(FactSource(fact.fact_id, fact.source_sequence))
    return numbers
