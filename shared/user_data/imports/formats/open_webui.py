"""Reads a chat of Open WebUI, in the form of our own export.

An export of all chats is a list of `{"id", "title", "chat", "created_at", "pinned", "archived"}`,
that of one chat may be the inner `chat` alone: `{"title", "models", "messages", "history"}`.
`history` is `{"currentId", "messages": {id: {parentId, role, content, timestamp, files}}}`, with
all branches; `messages` is the shown one.
"""

from __future__ import annotations

from collections import Counter

from shared.user_data.imports.fields import expect_list, expect_object
from shared.user_data.imports.format import Chat, Format, Json
from shared.user_data.imports.formats import own
from shared.user_data.imports.trees import Node, Tree


def _is_chat(conversation: Json) -> bool:
    return any(isinstance(conversation.get(key), dict) for key in ("chat", "history"))


def _read(conversation: Json, left_out: Counter[str]) -> Chat:
    chat = _inner(conversation)
    translated = {
        "id": conversation.get("id"),
        "title": conversation.get("title") or chat.get("title"),
        "created_at": conversation.get("created_at", chat.get("timestamp")),
        "is_pinned": conversation.get("pinned"),
        "is_archived": conversation.get("archived"),
        "messages": [_translate(message) for message in _shown(chat, left_out)],
    }
    return own.read(translated, left_out)


def _inner(conversation: Json) -> Json:
    return expect_object(conversation.get("chat", conversation), '"chat"')


def _with_end(conversation: Json, end: str) -> Json:
    chat = _inner(conversation)
    history = expect_object(chat.get("history"), '"history"')
    return conversation | {"chat": chat | {"history": history | {"currentId": end}}}


def _tree(conversation: Json) -> Tree:
    """Without nodes, if the chat has no branches."""
    history = _inner(conversation).get("history")
    listed = history.get("messages") if isinstance(history, dict) else None
    by_id = listed if isinstance(listed, dict) else {}
    return Tree(
        nodes={node_id: expect_object(by_id[node_id], "A message") for node_id in sorted(by_id)},
        parent="parentId",
        time_of=lambda message: message.get("timestamp"),
    )


def _shown(chat: Json, left_out: Counter[str]) -> list[Node]:
    tree = _tree(chat)
    if not tree.nodes:
        messages = expect_list(chat.get("messages"), '"messages"')
        return [expect_object(message, "A message") for message in messages]
    path = tree.path_to(chat["history"].get("currentId"))
    if elsewhere := len(tree.nodes) - len(path):
        left_out["other_branch"] += elsewhere
    return path


def _translate(message: Node) -> Json:
    files = message.get("files")
    entries = [file for file in files if isinstance(file, dict)] if isinstance(files, list) else []
    return {
        "role": message.get("role"),
        "content": message.get("content"),
        "created_at": message.get("timestamp"),
        "model": message.get("model"),
        "attachments": [{"name": _name(file)} for file in entries],
    }


def _name(file: Json) -> object:
    inner = file.get("file")
    return file.get("name") or (inner.get("filename") if isinstance(inner, dict) else None)


FORMAT = Format(
    is_chat=_is_chat,
    read=_read,
    content_keys=frozenset({"chat", "history"}),
    tree=_tree,
    with_end=_with_end,
)
