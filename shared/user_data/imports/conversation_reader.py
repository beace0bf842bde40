"""Reads a conversation of any format, and finds the key that recognizes it the next time."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import get_args

from shared.errors import UnknownFormError, UnreadableConversationError
from shared.models import Mode
from shared.policy.project_names import find_name
from shared.user_data.imports.fields import (
    MAX_ID,
    expect_object,
    find_instant,
    read_integer,
    read_label,
)
from shared.user_data.imports.format import Format, Json
from shared.user_data.imports.formats import find_format, own
from shared.user_data.imports.json_stream import TooLarge
from shared.user_data.imports.other_branches import join_branches
from shared.user_data.imports.past_conversation import PastConversation, Utterance

#: What is read of a conversation besides what is shown of it. All of it is stored again.
MAX_OTHER_CHARS = 5_000_000
ID_KEYS = ("source_key", "conversation_id", "id", "uuid")


def read_conversations(value: object, *, with_branches: bool) -> list[PastConversation]:
    """A conversation, and what its program no longer shows of it, if that is wanted.

    Raises `UnreadableConversationError`.
    """
    shown = read_conversation(value)
    chat = expect_object(value, "A conversation")
    program = find_format(chat) if with_branches else None
    if program is None or program.tree is None or "other_branch" not in shown.left_out:
        return [shown]
    ends = program.tree(chat).list_ends()
    others = list(_read_others(program, chat, ends.ids))
    further = ends.further + len(ends.ids) - len(others)
    left_out = dict(shown.left_out) | {"other_branch": further}
    return join_branches(replace(shown, left_out=+Counter(left_out)), others)


def _read_others(
    program: Format, conversation: Json, ends: Iterable[str]
) -> Iterator[tuple[str, PastConversation]]:
    """Read the other branches, but for unreadable ones and those beyond `MAX_OTHER_CHARS`."""
    room = MAX_OTHER_CHARS
    for end in ends:
        if room <= 0:
            return
        with suppress(UnreadableConversationError):  # the shown one can be read
            past = read_conversation(program.with_end(conversation, end))
            room -= sum(len(utterance.content) for utterance in past.utterances)
            yield end, past


def read_conversation(value: object) -> PastConversation:
    """Read a conversation of any known form. Raises `UnreadableConversationError`."""
    if isinstance(value, TooLarge):
        raise UnreadableConversationError("It is too large.")
    left_out: Counter[str] = Counter()
    chat = expect_object(value, "A conversation")
    program = find_format(chat)
    if program is None:
        raise UnknownFormError
    conversation, utterances = program.read(chat, left_out)
    ids = [name for key in ID_KEYS if (name := read_label(conversation.get(key)))]
    return PastConversation(
        source_key=ids[0] if ids else fingerprint(utterances),
        own_ids=tuple(ids),
        title=read_label(conversation.get("title", conversation.get("name"))),
        agent=read_label(conversation.get("agent")),
        mode=_mode(conversation.get("mode")),
        created_at=find_instant(
            conversation.get("created_at", conversation.get("create_time")), left_out
        ),
        utterances=tuple(utterances),
        is_pinned=conversation.get("is_pinned") is True,
        is_archived=conversation.get("is_archived") is True,
        model=read_label(conversation.get("model")),
        persona=read_integer(conversation.get("persona_id"), MAX_ID),
        branch=own.read_branch(conversation),
        project=find_name(read_label(conversation.get("project")) or ""),
        left_out=left_out,
    )


def fingerprint(utterances: list[Utterance]) -> str:
    """The key of a conversation without an id: a hash of roles, texts and times."""
    parts = [
        (
            utterance.role,
            utterance.content,
            utterance.said_at.isoformat() if utterance.said_at else None,
        )
        for utterance in utterances
    ]
    return f"sha256:{hashlib.sha256(json.dumps(parts).encode()).hexdigest()}"


def _mode(value: object) -> Mode:
    modes: tuple[Mode, ...] = get_args(Mode)
    return next((mode for mode in modes if mode == value), "active")
