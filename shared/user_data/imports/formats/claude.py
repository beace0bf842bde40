"""Reads a conversation of Claude's `conversations.json`.

`chat_messages` is a list of {uuid, sender, text, content, created_at, attachments, files}. Older
exports have the text in `text` alone; newer ones have it in the parts of `content`, and name each
message's parent, so that the list may hold several branches.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from shared.errors import UnreadableConversationError
from shared.models import Role
from shared.policy.attachments.sniffing import FALLBACK_NAME
from shared.user_data.imports.artifacts import Documents
from shared.user_data.imports.fields import (
    expect_list,
    expect_object,
    file_name,
    find_instant,
    name_files,
    read_id,
    read_text,
)
from shared.user_data.imports.format import Chat, Format, Json
from shared.user_data.imports.past_conversation import PastFile, Utterance
from shared.user_data.imports.trees import Tree

SENDERS: dict[str, Role] = {"human": "user", "assistant": "assistant"}
ARTIFACTS = "artifacts"
TOOLS = ("tool_use", "tool_result")
PARENT = "parent_message_uuid"
CURRENT = "current_leaf_message_uuid"


def _read(conversation: Json, left_out: Counter[str]) -> Chat:
    """Read the newest branch; all messages, if none is the parent of another."""
    messages, tree = _messages(conversation), _tree(conversation)
    branch = tree.path_to(conversation.get(CURRENT)) if tree.nodes else messages
    if elsewhere := len(messages) - len(branch):
        left_out["other_branch"] += elsewhere
    documents = Documents(left_out)
    read = [_read_message(message, documents, left_out) for message in branch]
    return Chat(conversation, [utterance for utterance in read if utterance is not None])


def _tree(conversation: Json) -> Tree:
    """Without nodes, if no message is the parent of another."""
    messages = _messages(conversation)
    nodes = {node_id: message for message in messages if (node_id := read_id(message.get("uuid")))}
    is_tree = any(read_id(message.get(PARENT)) in nodes for message in messages)
    return Tree(
        nodes=nodes if is_tree else {},
        parent=PARENT,
        time_of=lambda message: message.get("created_at"),
    )


def _messages(conversation: dict[str, Any]) -> list[dict[str, Any]]:
    listed = expect_list(conversation.get("chat_messages"), '"chat_messages"')
    return [expect_object(message, "A message") for message in listed]


def _read_message(
    message: dict[str, Any], documents: Documents, left_out: Counter[str]
) -> Utterance | None:
    sender = message.get("sender")
    role = SENDERS.get(sender) if isinstance(sender, str) else None
    if role is None:
        raise UnreadableConversationError("A message has a sender that is not known.")
    files = _files(message)
    readable_files = tuple(file for file in files if file.text is not None and role == "user")
    if lost := [file.name for file in files if file not in readable_files]:
        left_out["attachment"] += len(lost)
    content = name_files(_text(message, documents, left_out), lost)
    if files and not content.strip():
        content = name_files("", [file.name for file in files])
    if not content.strip():
        left_out["empty"] += 1
        return None
    return Utterance(
        role=role,
        content=content,
        said_at=find_instant(message.get("created_at"), left_out),
        files=readable_files,
    )


def _files(message: dict[str, Any]) -> list[PastFile]:
    """Those under "attachments" come with the text that was read from them, the others without.

    A file may be under both.
    """
    files: list[PastFile] = []
    read: set[str] = set()
    for kind in ("attachments", "files"):
        for item in expect_list(message.get(kind) or [], f'"{kind}"'):
            about = item if isinstance(item, dict) else {}
            name = file_name(about.get("file_name")) or FALLBACK_NAME
            if kind == "files" and name in read:
                continue
            text = read_text(about.get("extracted_content"), Counter())
            if text.strip():
                read.add(name)
            files.append(PastFile(name=name, text=text if text.strip() else None))
    return files


def _text(message: dict[str, Any], documents: Documents, left_out: Counter[str]) -> str:
    """Join the parts that are text or documents. Other tools and thoughts are left out."""
    parts = expect_list(message.get("content") or [], '"content"')
    texts = []
    for part in parts:
        kind = part.get("type") if isinstance(part, dict) else None
        if kind == "tool_use" and part.get("name") == ARTIFACTS:
            arguments = part.get("input")
            texts.append(documents.read_artifact(arguments if isinstance(arguments, dict) else {}))
        elif kind == "tool_result" and part.get("name") == ARTIFACTS:
            continue  # it says "OK"
        elif kind in TOOLS:
            left_out["tool"] += 1
        elif kind == "thinking":
            left_out["hidden"] += 1
        elif text := read_text(part, left_out).strip():
            texts.append(text)
    return (
        "\n\n".join(text for text in texts if text)
        if parts
        else read_text(message.get("text"), left_out)
    )


FORMAT = Format(
    is_chat=lambda chat: "chat_messages" in chat,
    read=_read,
    content_keys=frozenset({"chat_messages"}),
    tree=_tree,
    with_end=lambda chat, end: chat | {CURRENT: end},
)
