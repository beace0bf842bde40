"""The messages of a request, in the shapes that servers take. All are in OpenAI's form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

from shared.policy.clients.client_messages import INSTRUCTING, text_of

Message = Mapping[str, Any]

#: What a server may refuse in messages: the two roles of instructions, roles that do not alternate
#: after the instructions, and texts in parts.
SYSTEM, DEVELOPER, ROLES, PARTS = "system", "developer", "roles", "parts"
#: Roles whose turns are joined. A tool's answers belong to calls, each to its own.
TALKING = frozenset({"user", "assistant"})


def shape_messages(messages: Sequence[Message], refused: Set[str]) -> list[dict[str, Any]]:
    """The messages without the shapes in `refused`. No text of a user is lost."""
    shaped = [dict(message) for message in messages]
    if PARTS in refused:
        shaped = [_as_plain_text(message) for message in shaped]
    if DEVELOPER in refused:
        shaped = [{**m, "role": "system"} if m["role"] == "developer" else m for m in shaped]
    if ROLES in refused:
        shaped = _in_order(shaped)
    if SYSTEM in refused:
        shaped = join_turns(_instructions_as_user(shaped))
    return shaped


def join_turns(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """Join turns of one role that follow each other, and leave out the empty ones.

    A server's template may take a user's and the assistant's turns only by turns. Texts stay word
    for word, with a blank line between them.
    """
    joined: list[dict[str, Any]] = []
    for message in messages:
        if _is_talk(message) and not message.get("content"):
            continue
        if joined and message["role"] == joined[-1]["role"] and _is_talk(message, joined[-1]):
            content = _join(joined[-1]["content"], message["content"])
            joined[-1] = {**joined[-1], "content": content}
        else:
            joined.append(dict(message))
    return joined or [dict(message) for message in messages]


def _is_talk(*messages: Message) -> bool:
    """Whether they are a user's or the assistant's words alone, without calls of tools."""
    return all(message["role"] in TALKING and not message.get("tool_calls") for message in messages)


def _in_order(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """One message of instructions, then turns that alternate, a user's first.

    Later instructions become words of the user. An assistant's turn before the first user's is
    left out, unless nothing else is there.
    """
    at = next((n for n, each in enumerate(messages) if each["role"] not in INSTRUCTING), None)
    first, rest = list(messages[:at]), list(messages[len(messages) if at is None else at :])
    users = [{**m, "role": "user"} if m["role"] in INSTRUCTING else m for m in rest]
    begin = next((n for n, each in enumerate(users) if each["role"] == "user"), 0)
    if len(first) > 1:
        text = "\n\n".join(filter(None, (text_of(message.get("content")) for message in first)))
        first = [{**first[0], "content": text}]
    return [dict(message) for message in (*first, *join_turns(users[begin:]))]


def _instructions_as_user(messages: Sequence[Message]) -> list[Message]:
    return [{**m, "role": "user"} if m["role"] in INSTRUCTING else m for m in messages]


def _as_plain_text(message: Message) -> dict[str, Any]:
    """A text in parts as one string. An image is no text: it stays, and its message with it."""
    content = message.get("content")
    if isinstance(content, list) and all(_is_text(part) for part in content):
        return {**message, "content": text_of(content)}
    return dict(message)


def _is_text(part: object) -> bool:
    return isinstance(part, dict) and isinstance(part.get("text"), str)


def _join(first: object, second: object) -> object:
    if isinstance(first, str) and isinstance(second, str):
        return f"{first}\n\n{second}"
    return [*_parts(first), *_parts(second)]


def _parts(content: object) -> list[object]:
    return list(content) if isinstance(content, list) else [{"type": "text", "text": content}]
