"""Reads a chat of LibreChat, in the form of our own export.

`{"conversationId", "title", "messages"}`: a list in which each message names its parent, or a tree
by `children`, where the export was made "recursive".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from shared.user_data.imports.fields import expect_list, expect_object, find_instant, read_id
from shared.user_data.imports.trees import Ends, Node, list_ends, shown_path

PARENT = "parentMessageId"
CURRENT = "currentMessageId"  # ours: an export does not name it


def is_chat(conversation: dict[str, Any]) -> bool:
    return "conversationId" in conversation


def translate(conversation: dict[str, Any], left_out: Counter[str]) -> dict[str, Any]:
    """Raises `UnreadableConversationError`."""
    messages = list(_flatten(conversation.get("messages")))
    path = shown_path(_nodes(messages), conversation.get(CURRENT), PARENT, _order)
    if elsewhere := len(messages) - len(path):
        left_out["other_branch"] += elsewhere
    return {
        "id": conversation.get("conversationId"),
        "title": conversation.get("title"),
        "created_at": conversation.get("createdAt"),
        "messages": [_message(message, left_out) for message in path],
    }


def list_branch_ends(conversation: dict[str, Any]) -> Ends:
    """The ends of all branches. Raises `UnreadableConversationError`."""
    return list_ends(_nodes(_flatten(conversation.get("messages"))), PARENT, _order)


def with_end(conversation: dict[str, Any], end: str) -> dict[str, Any]:
    """The same, with the branch that ends there as the current one."""
    return conversation | {CURRENT: end}


def _nodes(messages: Iterable[Node]) -> dict[str, Node]:
    return {read_id(message.get("messageId")): message for message in messages}


def _flatten(listed: object) -> Iterator[Node]:
    """Each message of the tree, a parent before its children."""
    waiting = expect_list(listed, '"messages"')[::-1]
    while waiting:
        message = expect_object(waiting.pop(), "A message")
        yield message
        waiting.extend(expect_list(message.get("children") or [], '"children"')[::-1])


def _order(message: Node) -> float:
    said_at = find_instant(message.get("createdAt"), Counter())
    return said_at.timestamp() if said_at else 0.0


def _message(message: Node, left_out: Counter[str]) -> dict[str, Any]:
    files = message.get("files")
    entries = [file for file in files if isinstance(file, dict)] if isinstance(files, list) else []
    return {
        "role": "user" if message.get("isCreatedByUser") is True else "assistant",
        "content": message.get("text") or _parts(message.get("content"), left_out),
        "created_at": message.get("createdAt"),
        "model": message.get("model"),
        "attachments": [{"name": file.get("filename")} for file in entries],
    }


def _parts(content: object, left_out: Counter[str]) -> list[object]:
    """Thoughts and calls of tools are left out. A text may be `{"value": …}`."""
    texts: list[object] = []
    for part in content if isinstance(content, list) else []:
        kind = part.get("type") if isinstance(part, dict) else None
        if isinstance(part, dict) and kind == "text":
            text = part.get("text")
            texts.append(text.get("value") if isinstance(text, dict) else text)
        else:
            left_out["tool" if kind == "tool_call" else "hidden"] += 1
    return texts
