"""Reads a conversation of ChatGPT's `conversations.json`: a tree of nodes with one visible branch.

`mapping` is {id: {id, parent, children, message}}; `current_node` is the end of the branch.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from shared.errors import UnreadableConversationError
from shared.models import Role
from shared.user_data.imports.fields import (
    expect_object,
    file_name,
    name_files,
    read_id,
    read_instant,
    read_label,
    read_text,
)
from shared.user_data.imports.past_conversation import Utterance

ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant"}
TO_EVERYONE = (None, "", "all")  # other recipients are tools


def read_utterances(conversation: dict[str, Any], left_out: Counter[str]) -> list[Utterance]:
    """The current branch, oldest first. Raises `UnreadableConversationError`."""
    nodes = {
        node_id: expect_object(node, "A node")
        for node_id, node in expect_object(conversation.get("mapping"), '"mapping"').items()
    }
    branch = _branch(nodes, _end(nodes, conversation.get("current_node")))
    speaking = sum(1 for node in nodes.values() if _speaks(node))
    elsewhere = speaking - sum(1 for node in branch if _speaks(node))
    if elsewhere:
        left_out["other_branch"] += elsewhere
    read = [_read(node["message"], left_out) for node in branch if node.get("message")]
    return [utterance for utterance in read if utterance is not None]


def _end(nodes: dict[str, dict[str, Any]], current: object) -> str | None:
    """The current node, or the newest leaf if the current node is missing."""
    if isinstance(current, str) and current in nodes:
        return current
    leaves = [node_id for node_id, node in nodes.items() if not node.get("children")]
    return max(leaves, key=lambda node_id: _order(nodes[node_id]), default=None)


def _order(node: dict[str, Any]) -> float:
    message = expect_object(node.get("message") or {}, "A message")
    said_at = read_instant(message.get("create_time"))
    return said_at.timestamp() if said_at else 0.0


def _branch(nodes: dict[str, dict[str, Any]], end: str | None) -> list[dict[str, Any]]:
    """The nodes from the root to `end`."""
    path: list[dict[str, Any]] = []
    seen: set[str] = set()
    while end in nodes:
        if end in seen:
            raise UnreadableConversationError("Its messages follow each other in a circle.")
        seen.add(end)
        path.append(nodes[end])
        parent = nodes[end].get("parent")
        end = parent if isinstance(parent, str) else None
    return path[::-1]


def _speaks(node: dict[str, Any]) -> bool:
    """Whether the node has text of the user or the assistant."""
    message = node.get("message")
    if not isinstance(message, dict):
        return False
    return _author(message) in ROLES and bool(_text(message, Counter()).strip())


def _read(message: object, left_out: Counter[str]) -> Utterance | None:
    message = expect_object(message, "A message")
    reason = _reason_to_leave_out(message)
    content = "" if reason else _text_and_files(message, left_out)
    if reason or not content.strip():
        left_out[reason or "empty"] += 1
        return None
    metadata = message.get("metadata")
    return Utterance(
        role=ROLES[_author(message)],
        content=content,
        said_at=read_instant(message.get("create_time")),
        model=read_label(metadata.get("model_slug")) if isinstance(metadata, dict) else None,
    )


def _text_and_files(message: dict[str, Any], left_out: Counter[str]) -> str:
    """Files are named. Those that are shown are parts of the content, too, and counted there."""
    own: Counter[str] = Counter()
    text = _text(message, own)
    metadata = message.get("metadata")
    listed = metadata.get("attachments") if isinstance(metadata, dict) else None
    files = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    if count := max(own["attachment"], len(files)):
        left_out["attachment"] += count
    return name_files(text, [name for one in files if (name := file_name(one.get("name")))])


def _reason_to_leave_out(message: dict[str, Any]) -> str | None:
    author, metadata = _author(message), message.get("metadata")
    if author not in ROLES:
        return author if author in {"system", "tool"} else "other_role"
    if message.get("recipient") not in TO_EVERYONE:
        return "tool"
    if isinstance(metadata, dict) and metadata.get("is_visually_hidden_from_conversation"):
        return "hidden"
    return None


def _author(message: dict[str, Any]) -> str:
    author = message.get("author")
    return read_id(author.get("role")) if isinstance(author, dict) else ""


def _text(message: dict[str, Any], left_out: Counter[str]) -> str:
    """The text of a message. Other kinds of content (thoughts, browsing) have no text."""
    content = message.get("content")
    if not isinstance(content, dict):
        return ""
    return read_text(content.get("parts", content.get("text")), left_out)
