"""The prompt of a client's request: its own messages, with memory around them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from itertools import takewhile

from shared.models.clients import ClientMessage, ClientPrompt
from shared.policy.budget import Room
from shared.policy.clients.client_messages import INSTRUCTING
from shared.policy.memory_block import day_line, render_context, render_front
from shared.policy.prompt import Prompt, fit_memory
from shared.policy.recalled import Recalled
from shared.policy.shortening import CountTokens


def build_client_prompt(
    client: ClientPrompt, now: datetime, recalled: Recalled, room: Room, count_tokens: CountTokens
) -> Prompt:
    """The client's instructions come first, then memory, then the client's other messages.

    Memory is put behind the words of the client's last instruction, in the same message: the
    templates of many models take one system message, at the beginning. What was looked up for its
    newest message of a user is put before that message's words. Its other messages are kept word
    for word. Stored turns that it does not send, and that no summary covers yet, stand before them.
    Without anything remembered nothing is added.
    """
    memory, trace = fit_memory(now, recalled, room, count_tokens)
    turns = [_message(turn.role, turn.content) for turn in memory.verbatim.turns if turn.content]
    preface = list(takewhile(lambda message: message["role"] in INSTRUCTING, client.messages))
    rest = list(client.messages[len(preface) :])
    if memory.facts or memory.points or memory.episodes or memory.quotes or memory.passages:
        front = "\n\n".join(part for part in (render_front(memory), day_line(now)) if part)
        preface = _add_memory(preface, front)
        rest = _add_context(rest, render_context(memory))
    return Prompt(messages=(), trace=trace, raw=(*preface, *turns, *rest))


def with_instructions(client: ClientPrompt, text: str) -> ClientPrompt:
    """Put instructions behind those of the client."""
    preface = list(takewhile(lambda message: message["role"] in INSTRUCTING, client.messages))
    rest = client.messages[len(preface) :]
    return replace(client, messages=(*_add_memory(preface, text), *rest))


def _add_memory(preface: list[ClientMessage], memory: str) -> list[ClientMessage]:
    if not preface:
        return [_message("system", memory)]
    *first, last = preface
    content = last.get("content") or ""
    if isinstance(content, list):
        return [*first, {**last, "content": [*content, {"type": "text", "text": memory}]}]
    return [*first, {**last, "content": f"{content}\n\n{memory}".lstrip()}]


def _add_context(messages: list[ClientMessage], context: str) -> list[ClientMessage]:
    at = max((at for at, message in enumerate(messages) if message["role"] == "user"), default=None)
    if at is None:
        return messages
    content = messages[at].get("content") or ""
    if isinstance(content, list):
        added: object = [{"type": "text", "text": context}, *content]
    else:
        added = f"{context}{content}"
    return [*messages[:at], {**messages[at], "content": added}, *messages[at + 1 :]]


def _message(role: str, content: str) -> ClientMessage:
    return {"role": role, "content": content}
