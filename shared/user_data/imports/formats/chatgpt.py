"""Reads a conversation of ChatGPT's `conversations.json`: a tree of nodes with one visible branch.

`mapping` is {id: {id, parent, children, message}}; `current_node` is the end of the branch.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

from shared.models import Role
from shared.user_data.imports.artifacts import Documents
from shared.user_data.imports.fields import (
    expect_object,
    file_name,
    find_instant,
    name_files,
    read_id,
    read_label,
    read_text,
)
from shared.user_data.imports.format import Chat, Format, Json
from shared.user_data.imports.past_conversation import Utterance
from shared.user_data.imports.trees import Node, Tree

MAX_REFERENCES = 500  # of one reply
#: `cite`, `navlist`, `entity` … between characters for private use, or a source in brackets.
#: No two parts take the same characters, and none gives any back: else an open mark costs a square.
CITATION = re.compile(r"( ?)(\ue200([a-z_]*+)[^\ue200\ue201]*+\ue201|【[^【】†]*+†[^【】]*+】)")
CITATION_SIGNS = re.compile(r"[\ue200-\ue206]")
CITATION_PARTS = "\ue202"

ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant"}
THOUGHTS = ("thoughts", "reasoning_recap")
CANVAS = "canmore."
TO_EVERYONE = (None, "", "all")  # other recipients are tools


def _read(conversation: Json, left_out: Counter[str]) -> Chat:
    tree = _tree(conversation)
    branch = tree.path_to(conversation.get("current_node"))
    elsewhere = sum(map(_speaks, tree.nodes.values())) - sum(map(_speaks, branch))
    if elsewhere:
        left_out["other_branch"] += elsewhere
    documents = Documents(left_out)
    messages = [node["message"] for node in branch if node.get("message")]
    read = [_read_message(message, documents, left_out) for message in messages]
    return Chat(conversation, [utterance for utterance in read if utterance is not None])


def _tree(conversation: Json) -> Tree:
    mapping = expect_object(conversation.get("mapping"), '"mapping"')
    nodes = {node_id: expect_object(mapping[node_id], "A node") for node_id in sorted(mapping)}
    return Tree(nodes=nodes, parent="parent", time_of=_time_of)


def _time_of(node: Node) -> object:
    return expect_object(node.get("message") or {}, "A message").get("create_time")


def _speaks(node: dict[str, Any]) -> bool:
    """Whether the node has words of the user or the assistant."""
    message = node.get("message")
    if not isinstance(message, dict):
        return False
    return _author(message) in ROLES and bool(_text(message, Counter()).strip())


def _read_message(
    message: object, documents: Documents, left_out: Counter[str]
) -> Utterance | None:
    message = expect_object(message, "A message")
    recipient = read_id(message.get("recipient"))
    if recipient.startswith(CANVAS) and _author(message) == "assistant":
        document = documents.read_canvas(recipient, _text(message, left_out))
        return _utterance(message, document, left_out) if document else None
    reason = _reason_to_leave_out(message)
    content = "" if reason else _text_with_file_names(message, left_out)
    if reason or not content.strip():
        left_out[reason or "empty"] += 1
        return None
    return _utterance(message, content, left_out)


def _utterance(message: dict[str, Any], content: str, left_out: Counter[str]) -> Utterance:
    return Utterance(
        role=ROLES[_author(message)],
        content=content,
        said_at=find_instant(message.get("create_time"), left_out),
        model=read_label(_metadata(message).get("model_slug")),
    )


def _text_with_file_names(message: dict[str, Any], left_out: Counter[str]) -> str:
    """Files are named. Those that are shown are parts of the content, too, and counted there."""
    counts: Counter[str] = Counter()
    text = _text(message, counts)
    listed = _metadata(message).get("attachments")
    files = [file for file in listed if isinstance(file, dict)] if isinstance(listed, list) else []
    if count := max(counts["attachment"], len(files)):
        left_out["attachment"] += count
    text = resolve_citations(text, _metadata(message))
    return name_files(text, [name for file in files if (name := file_name(file.get("name")))])


def _reason_to_leave_out(message: dict[str, Any]) -> str | None:
    author = _author(message)
    if author not in ROLES:
        return author if author in {"system", "tool"} else "other_role"
    if message.get("recipient") not in TO_EVERYONE:
        return "tool"
    if _metadata(message).get("is_visually_hidden_from_conversation") or _is_thought(message):
        return "hidden"
    return None


def _is_thought(message: dict[str, Any]) -> bool:
    content = message.get("content")
    return isinstance(content, dict) and read_id(content.get("content_type")) in THOUGHTS


def _metadata(message: dict[str, Any]) -> dict[str, Any]:
    metadata = message.get("metadata")
    return metadata if isinstance(metadata, dict) else {}


def _author(message: dict[str, Any]) -> str:
    author = message.get("author")
    return read_id(author.get("role")) if isinstance(author, dict) else ""


def _text(message: dict[str, Any], left_out: Counter[str]) -> str:
    """The text of a message. Other kinds of content (thoughts, browsing) have no text."""
    content = message.get("content")
    if not isinstance(content, dict):
        return ""
    return read_text(content.get("parts", content.get("text")), left_out)


def resolve_citations(text: str, metadata: dict[str, Any]) -> str:
    """Replace the marks of citations in a reply by links, or remove them."""
    if CITATION.search(text) is None and CITATION_SIGNS.search(text) is None:
        return text
    links = _links_by_mark(metadata.get("content_references"))

    def show(mark: re.Match[str]) -> str:
        label = links.get(mark[2]) or (_entity_name(mark[2]) if mark[3] == "entity" else "")
        return f"{mark[1]}{label}" if label else ""

    return CITATION_SIGNS.sub("", CITATION.sub(show, text)).strip()


def _links_by_mark(references: object) -> dict[str, str]:
    """What is shown in a mark's place, by the mark."""
    links = {}
    for item in references[:MAX_REFERENCES] if isinstance(references, list) else []:
        if isinstance(item, dict):
            links[read_id(item.get("matched_text"))] = read_id(item.get("alt")) or _list_sources(
                item
            )
    return links


def _list_sources(reference: dict[str, Any]) -> str:
    items = reference.get("items")
    sources = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    return ", ".join(
        f"[{read_id(item.get('title')) or url}]({url})"
        for item in sources
        if (url := read_id(item.get("url")))
    )


def _entity_name(mark: str) -> str:
    """An entity is `["kind", "name", …]`."""
    try:
        entity = json.loads(mark.rpartition(CITATION_PARTS)[2].rstrip("\ue201"))
    except (ValueError, RecursionError):
        return ""
    return read_id(entity[1]) if isinstance(entity, list) and len(entity) > 1 else ""


FORMAT = Format(
    is_chat=lambda chat: "mapping" in chat,
    read=_read,
    content_keys=frozenset({"mapping"}),
    tree=_tree,
    with_end=lambda chat, end: chat | {"current_node": end},
)
