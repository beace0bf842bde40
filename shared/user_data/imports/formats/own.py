"""Reads our own export format, and other JSON of the same form.

`{"title", "created_at", "messages": [{"role", "content", "created_at", "name"?}]}`
"""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import UTC, datetime
from typing import get_args

from shared.errors import UnreadableConversationError
from shared.models import FinishReason, Role
from shared.policy.attachments.sniffing import FALLBACK_NAME
from shared.user_data.imports.fields import (
    expect_list,
    expect_object,
    file_name,
    find_instant,
    name_files,
    read_id,
    read_integer,
    read_label,
    read_text,
)
from shared.user_data.imports.format import Chat, Format, Json
from shared.user_data.imports.past_conversation import (
    PastBranch,
    PastFile,
    PastVariant,
    Utterance,
)

ROLES: dict[object, Role] = {"user": "user", "human": "user", "assistant": "assistant"}
# By the reason under which they are counted.
LEFT_OUT_ROLES = {
    "system": "system", "developer": "system", "tool": "tool", "function": "tool",
}  # fmt: skip
INTERRUPTED = "The reply was still being written when it was exported."
# The stored status for each status in the file. A reply that was being written has failed.
STATUSES = {
    "complete": "complete", "partial": "partial", "failed": "failed", "streaming": "failed",
}  # fmt: skip
RATINGS = (1, -1)
FINISH_REASONS = get_args(FinishReason)


def read(conversation: Json, left_out: Counter[str]) -> Chat:
    """Read the messages in the file's order. Raises `UnreadableConversationError`."""
    messages = expect_list(conversation.get("messages"), '"messages"')
    objects = [expect_object(message, "A message") for message in messages]
    shared = _shared_roles(objects)
    utterances = [_read_message(message, shared, left_out) for message in objects]
    return Chat(conversation, [each for each in utterances if each is not None])


def read_branch(conversation: Json) -> PastBranch | None:
    """Where it branched from another conversation, which the export holds before it."""
    parent = read_label(conversation.get("branched_from"))
    at = read_integer(conversation.get("branched_at"))
    if parent is None or at is None:
        return None
    key = read_label(conversation.get("branched_from_key")) or parent
    return PastBranch(source_key=key, conversation_id=parent, at=at)


def _read_message(message: Json, shared: set[Role], left_out: Counter[str]) -> Utterance | None:
    role = _role(message.get("role"))
    if role is None:
        left_out[LEFT_OUT_ROLES[message["role"]]] += 1
        return None
    content = read_text(message.get("content"), left_out)
    status = _status(role, message.get("status"))
    if message.get("trace"):
        left_out["trace"] += 1  # its ids are from another database
    files = _files(role, message.get("attachments"))
    if unknown := [file.name for file in files if file.file_id is None]:
        left_out["attachment"] += len(unknown)
        content = name_files(content, unknown)
    if files and not content.strip():
        content = name_files("", [file.name for file in files])
    if not content.strip() and status != "failed":
        left_out["empty"] += 1
        return None
    number = read_integer(message.get("sequence_number"))
    interrupted = INTERRUPTED if message.get("status") == "streaming" else None
    return Utterance(
        role=role,
        content=_with_speaker(message, content, role in shared),
        said_at=find_instant(message.get("created_at"), left_out),
        name=read_label(message.get("name")),
        status=status,
        model=read_label(message.get("model")),
        error=read_label(message.get("error")) or interrupted,
        finish_reason=_finish_reason(role, message.get("finish_reason")),
        rating=_rating(role, message.get("rating")),
        withheld_at=_withheld_at(message.get("withheld_at"), left_out),
        variants=_variants(role, message.get("variants"), left_out),
        files=tuple(file for file in files if file.file_id is not None),
        numbers=() if number is None else (number,),
    )


def _withheld_at(value: object, left_out: Counter[str]) -> datetime | None:
    """A message whose time of withholding cannot be read is withheld all the same."""
    return None if value is None else find_instant(value, left_out) or datetime.now(UTC)


def _files(role: Role, value: object) -> list[PastFile]:
    """Those with an id have their bytes elsewhere in the export. The others are only named."""
    if role != "user" or not value:
        return []
    files = []
    for item in expect_list(value, '"attachments"'):
        file = item if isinstance(item, dict) else {"name": item}
        name = file_name(file.get("name")) or FALLBACK_NAME
        files.append(PastFile(name=name, file_id=read_label(file.get("attachment_id"))))
    return files


def _variants(role: Role, value: object, left_out: Counter[str]) -> tuple[PastVariant, ...]:
    """The variants of a reply that are not chosen. Those without text are left out."""
    if role == "user" or not value:
        return ()
    objects = [expect_object(variant, "A variant") for variant in expect_list(value, '"variants"')]
    return tuple(
        PastVariant(
            content=content,
            said_at=find_instant(variant.get("created_at"), left_out),
            status=_status(role, variant.get("status")),
            model=read_label(variant.get("model")),
            error=read_label(variant.get("error")),
            finish_reason=_finish_reason(role, variant.get("finish_reason")),
            rating=_rating(role, variant.get("rating")),
        )
        for variant in objects
        if (content := read_text(variant.get("content"), left_out)).strip()
    )


def _rating(role: Role, value: object) -> int | None:
    return value if role == "assistant" and value in RATINGS and isinstance(value, int) else None


def _role(value: object) -> Role | None:
    """The role. None: messages of this role are left out."""
    role = ROLES.get(value) if isinstance(value, str) else None
    if role is None and read_id(value) not in LEFT_OUT_ROLES:
        raise UnreadableConversationError("A message has a role that is not known.")
    return role


def _status(role: Role, value: object) -> str:
    if role == "user" or not isinstance(value, str):
        return "complete"
    return STATUSES.get(value, "complete")


def _finish_reason(role: Role, value: object) -> str | None:
    return str(value) if role == "assistant" and value in FINISH_REASONS else None


def _shared_roles(messages: list[Json]) -> set[Role]:
    """The roles in which messages have different names, so several people speak."""
    names: defaultdict[Role, set[str | None]] = defaultdict(set)
    for message in messages:
        role = _role(message.get("role"))
        if role is not None:
            names[role].add(read_label(message.get("name")))
    return {role for role, speakers in names.items() if len(speakers) > 1}


def _with_speaker(message: Json, content: str, is_shared: bool) -> str:
    """If several people speak in the role, the text begins with the speaker's name."""
    name = read_label(message.get("name"))
    if not name or not is_shared or content.startswith(f"{name}: "):
        return content
    return f"{name}: {content}"


FORMAT = Format(
    is_chat=lambda chat: "messages" in chat,
    read=read,
    content_keys=frozenset({"messages"}),
    list_keys=frozenset({"conversations", "history"}),  # Chatbot UI has the other name
)
