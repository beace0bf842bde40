"""Reads a chat of Open WebUI, in the form of our own export.

An export of all chats is a list of `{"id", "title", "chat", "created_at", "pinned", "archived"}`,
that of one chat may be the inner `chat` alone: `{"title", "models", "messages", "history"}`.
`history` is `{"currentId", "messages": {id: {parentId, role, content, timestamp, files}}}`, with
all branches; `messages` is the shown one.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from shared.user_data.imports.fields import expect_list, expect_object, find_instant
from shared.user_data.imports.trees import Ends, Node, list_ends, shown_path

PARENT = "parentId"


def is_chat(conversation: dict[str, Any]) -> bool:
    return isinstance(conversation.get("chat"), dict) or isinstance(
        conversation.get("history"), dict
    )


def translate(conversation: dict[str, Any], left_out: Counter[str]) -> dict[str, Any]:
    """Raises `UnreadableConversationError`."""
    chat = expect_object(conversation.get("chat", conversation), '"chat"')
    return {
        "id": conversation.get("id"),
        "title": conversation.get("title") or chat.get("title"),
        "created_at": conversation.get("created_at", chat.get("timestamp")),
        "is_pinned": conversation.get("pinned"),
        "is_archived": conversation.get("archived"),
        "messages": [_message(message) for message in _shown(chat, left_out)],
    }


def list_branch_ends(conversation: dict[str, Any]) -> Ends:
    """The ends of all branches. Raises `UnreadableConversationError`."""
    chat = expect_object(conversation.get("chat", conversation), '"chat"')
    return list_ends(_nodes(chat), PARENT, _order)


def with_end(conversation: dict[str, Any], end: str) -> dict[str, Any]:
    """The same, with the branch that ends there as the current one."""
    chat = expect_object(conversation.get("chat", conversation), '"chat"')
    history = expect_object(chat.get("history"), '"history"')
    return conversation | {"chat": chat | {"history": history | {"currentId": end}}}


def _nodes(chat: dict[str, Any]) -> dict[str, Node]:
    """The messages by their ids. There are none if the chat has no branches."""
    history = chat.get("history")
    listed = history.get("messages") if isinstance(history, dict) else None
    if not isinstance(listed, dict):
        return {}
    return {node_id: expect_object(listed[node_id], "A message") for node_id in sorted(listed)}


def _shown(chat: dict[str, Any], left_out: Counter[str]) -> list[Node]:
    nodes = _nodes(chat)
    if not nodes:
        messages = expect_list(chat.get("messages"), '"messages"')
        return [expect_object(message, "A message") for message in messages]
    path = shown_path(nodes, chat["history"].get("currentId"), PARENT, _order)
    if elsewhere := len(nodes) - len(path):
        left_out["other_branch"] += elsewhere
    return path


def _order(message: Node) -> float:
    said_at = find_instant(message.get("timestamp"), Counter())
    return said_at.timestamp() if said_at else 0.0


def _message(message: Node) -> dict[str, Any]:
    files = message.get("files")
    entries = [file for file in files if isinstance(file, dict)] if isinstance(files, list) else []
    return {
        "role": message.get("role"),
        "content": message.get("content"),
        "created_at": message.get("timestamp"),
        "model": message.get("model"),
        "attachments": [{"name": _name(file)} for file in entries],
    }


def _name(file: dict[str, Any]) -> object:
    inner = file.get("file")
    return file.get("name") or (inner.get("filename") if isinstance(inner, dict) else None)
