"""Reads a chat of LibreChat, in the form of our own export.

`{"conversationId", "title", "messages"}`: a list in which each message names its parent, or a tree
by `children`, where the export was made "recursive".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from shared.user_data.imports.fields import expect_list, expect_object, read_id
from shared.user_data.imports.format import Chat, Format, Json
from shared.user_data.imports.formats import own
from shared.user_data.imports.trees import Node, Tree

CURRENT = "currentMessageId"  # ours: an export does not name it


def _read(conversation: Json, left_out: Counter[str]) -> Chat:
    tree = _tree(conversation)
    path = tree.path_to(conversation.get(CURRENT))
    if elsewhere := len(tree.nodes) - len(path):
        left_out["other_branch"] += elsewhere
    translated = {
        "id": conversation.get("conversationId"),
        "title": conversation.get("title"),
        "created_at": conversation.get("createdAt"),
        "messages": [_translate(message, left_out) for message in path],
    }
    return own.read(translated, left_out)


def _tree(conversation: Json) -> Tree:
    messages = _flatten(conversation.get("messages"))
    return Tree(
        nodes={read_id(message.get("messageId")): message for message in messages},
        parent="parentMessageId",
        time_of=lambda message: message.get("createdAt"),
    )


def _flatten(listed: object) -> Iterator[Node]:
    """Each message of the tree, a parent before its children."""
    waiting = expect_list(listed, '"messages"')[::-1]
    while waiting:
        message = expect_object(waiting.pop(), "A message")
        yield message
        waiting.extend(expect_list(message.get("children") or [], '"children"')[::-1])


def _translate(message: Node, left_out: Counter[str]) -> dict[str, Any]:
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


FORMAT = Format(
    is_chat=lambda chat: "conversationId" in chat,
    read=_read,
    content_keys=frozenset({"messages"}),
    tree=_tree,
    with_end=lambda chat, end: chat | {CURRENT: end},
)
