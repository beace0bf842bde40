"""Reads facts of an export: by slot, each with its versions."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, NamedTuple, get_args

from shared.errors import UnreadableConversationError
from shared.models import Category, Forgotten, Tidied
from shared.policy.facts.slots import normalize_slot
from shared.policy.facts.values import MAX_VALUE_CHARS, clean_value
from shared.store.facts.restored import PastVersion
from shared.user_data.imports.fields import MAX_ID, read_id, read_instant, read_integer, read_label

MAX_VERSIONS = 500  # of one slot
LEAST_SHARE = 1e-30  # smaller ones cannot be stored
FINGERPRINT = re.compile(r"[0-9a-f]{64}")


class NumberedVersion(NamedTuple):
    """A version with what the file's numbers say of it."""

    version: PastVersion
    number: int | None
    successor: int | None
    conversation: str | None


Slot = list[NumberedVersion]


def read_slots(listed: Iterable[object]) -> list[Slot | None]:
    """In the file's order of slots and versions. None: a version or slot that cannot be read."""
    slots: dict[tuple[str, str], Slot] = {}
    unreadable: list[Slot | None] = []
    for item in listed:
        try:
            version = _read_version(item if isinstance(item, dict) else {})
        except (UnreadableConversationError, ValueError, TypeError):
            unreadable.append(None)
        else:
            slots.setdefault((version.version.category, version.version.key), []).append(version)
    return [slot if _is_whole(slot) else None for slot in slots.values()] + unreadable


def read_forgotten(listed: Iterable[object]) -> list[Forgotten]:
    """Those that can be read."""
    marks = []
    for item in listed:
        with suppress(UnreadableConversationError, ValueError, TypeError):
            if isinstance(item, dict):
                marks.append(_read_mark(item))
    return marks


def _is_whole(slot: Slot) -> bool:
    active = [version for version in slot if version.version.valid_to is None]
    return len(active) <= 1 and len(slot) <= MAX_VERSIONS


def _read_version(item: dict[str, Any]) -> NumberedVersion:
    """Raises `ValueError` and `UnreadableConversationError`."""
    value = clean_value(str(item["value"])) if isinstance(item.get("value"), str) else ""
    valid_from, valid_to = _past_instant(item, "valid_from"), _past_instant(item, "valid_to")
    if not 0 < len(value) <= MAX_VALUE_CHARS or valid_from is None:
        raise ValueError
    if valid_to is not None and valid_to < valid_from:
        raise ValueError
    category, key = _read_place(item)
    tidied = next((known for known in get_args(Tidied) if known == item.get("tidied")), None)
    version = PastVersion(
        category=category,
        key=key,
        value=value,
        confidence=_share(item.get("confidence")),
        importance=_share(item.get("importance")),
        source_sequence=read_integer(item.get("source_sequence")),
        confirmed_at_turn=read_integer(item.get("confirmed_at_turn")) or 0,
        confirmed_at=_past_instant(item, "confirmed_at"),
        valid_from=valid_from,
        valid_to=valid_to,
        tidied=tidied,
        former_key=_read_former_key(item, category),
        valid_until=_read_day(item.get("valid_until")),
    )
    return NumberedVersion(
        version=version,
        number=read_integer(item.get("id"), MAX_ID),
        successor=read_integer(item.get("superseded_by"), MAX_ID),
        conversation=read_label(item.get("source_conversation_id")),
    )


def _read_mark(item: dict[str, Any]) -> Forgotten:
    category, key = _read_place(item)
    fingerprint = FINGERPRINT.fullmatch(read_id(item.get("fingerprint")))
    said_until, forgotten_at = _instant(item, "said_until"), _instant(item, "forgotten_at")
    if fingerprint is None:
        raise ValueError
    return Forgotten(
        category=category, key=key, fingerprint=fingerprint[0], said_until=said_until,
        forgotten_at=forgotten_at,
    )  # fmt: skip


def _read_place(item: dict[str, Any]) -> tuple[Category, str]:
    """Only keys that this site would make itself."""
    categories: tuple[Category, ...] = get_args(Category)
    category = next((known for known in categories if known == item.get("category")), None)
    if category is None:
        raise ValueError
    place = normalize_slot(category, read_id(item.get("key")), "")
    if place != (category, item.get("key")):
        raise ValueError
    return place


def _read_former_key(item: dict[str, Any], category: Category) -> str | None:
    """The key under which a joined fact stood before."""
    key = item.get("former_key")
    return None if key is None else _read_place({"category": category, "key": key})[1]


def _read_day(value: object) -> date | None:
    try:
        return date.fromisoformat(str(value)) if value else None
    except ValueError:
        return None


def _past_instant(item: dict[str, Any], name: str) -> datetime | None:
    """At most now, since a later time would outweigh what the user says until then."""
    instant = read_instant(item.get(name))
    return min(instant, datetime.now(UTC)) if instant else None


def _instant(item: dict[str, Any], name: str) -> datetime:
    instant = _past_instant(item, name)
    if instant is None:
        raise ValueError
    return instant


def _share(value: object) -> float:
    if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
        share = float(value)
        if math.isfinite(share) and 0 <= share <= 1:
            return share if share >= LEAST_SHARE else 0.0
    raise ValueError
