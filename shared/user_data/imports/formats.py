"""Recognises the format of a conversation, and finds the key that recognises it the next time."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, Protocol, get_args

from shared.errors import UnknownFormError, UnreadableConversationError
from shared.models import Mode
from shared.policy.project_names import find_name
from shared.user_data.imports import chatgpt, claude, gemini, libre_chat, open_webui, own_format
from shared.user_data.imports.fields import (
    MAX_ID,
    expect_object,
    find_instant,
    read_integer,
    read_label,
)
from shared.user_data.imports.json_stream import TooLarge
from shared.user_data.imports.other_branches import join_branches
from shared.user_data.imports.past_conversation import PastConversation, Utterance
from shared.user_data.imports.trees import Ends


class Tree(Protocol):
    """A program whose chats are trees."""

    def list_branch_ends(self, conversation: dict[str, Any], /) -> Ends: ...

    def with_end(self, conversation: dict[str, Any], end: str, /) -> dict[str, Any]: ...


#: What is read of a conversation besides what is shown of it. All of it is stored again.
MAX_OTHER_CHARS = 5_000_000
ID_KEYS = ("source_key", "conversation_id", "id", "uuid")


def read_conversations(value: object, *, with_branches: bool) -> list[PastConversation]:
    """A conversation, and what its program no longer shows of it, if that is wanted.

    Raises `UnreadableConversationError`.
    """
    shown = read_conversation(value)
    program = _find_tree(value) if with_branches else None
    if program is None or not isinstance(value, dict) or "other_branch" not in shown.left_out:
        return [shown]
    ends = program.list_branch_ends(value)
    others = list(_read_others(program, value, ends.ids))
    further = ends.further + len(ends.ids) - len(others)
    left_out = dict(shown.left_out) | {"other_branch": further}
    return join_branches(replace(shown, left_out=+Counter(left_out)), others)


def _read_others(
    program: Tree, conversation: dict[str, Any], ends: Iterable[str]
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


def _find_tree(value: object) -> Tree | None:
    """The reader of the branches of this form. None: the form has no branches."""
    if not isinstance(value, dict):
        return None
    if open_webui.is_chat(value):
        return open_webui
    if libre_chat.is_chat(value):
        return libre_chat
    if "mapping" in value:
        return chatgpt
    return claude if "chat_messages" in value else None


def read_conversation(value: object) -> PastConversation:
    """Read a conversation of any known form. Raises `UnreadableConversationError`."""
    if isinstance(value, TooLarge):
        raise UnreadableConversationError("It is too large.")
    left_out: Counter[str] = Counter()
    conversation = _translate(expect_object(value, "A conversation"), left_out)
    utterances = _utterances(conversation, left_out)
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
        branch=own_format.read_branch(conversation),
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


def _translate(conversation: dict[str, Any], left_out: Counter[str]) -> dict[str, Any]:
    """In the form of our own export, where the program's own form is near to it."""
    if gemini.is_activity(conversation):
        return gemini.translate(conversation, left_out)
    if open_webui.is_chat(conversation):
        return open_webui.translate(conversation, left_out)
    if libre_chat.is_chat(conversation):
        return libre_chat.translate(conversation, left_out)
    return conversation


def _utterances(conversation: dict[str, Any], left_out: Counter[str]) -> list[Utterance]:
    if "mapping" in conversation:
        return chatgpt.read_utterances(conversation, left_out)
    if "chat_messages" in conversation:
        return claude.read_utterances(conversation, left_out)
    if "messages" in conversation:
        return own_format.read_utterances(conversation, left_out)
    raise UnknownFormError


def _mode(value: object) -> Mode:
    modes: tuple[Mode, ...] = get_args(Mode)
    return next((mode for mode in modes if mode == value), "active")
