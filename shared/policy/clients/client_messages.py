"""Splits a client's messages into a preface, past rounds and what is asked now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from shared.models.clients import ClientMessage

INSTRUCTING = frozenset({"system", "developer"})


@dataclass(frozen=True, kw_only=True)
class ClientRound:
    """The messages between two of the assistant's, and the assistant's answer to them."""

    #: Messages of the user and of tools. Empty: the client's list begins with the assistant.
    request: tuple[ClientMessage, ...]
    #: The assistant's message or messages. Empty: this is asked now.
    reply: tuple[ClientMessage, ...] = ()

    @property
    def text(self) -> str:
        """The user's words, without the words of tools and instructions."""
        return join_texts(message for message in self.request if message["role"] == "user")

    @property
    def reply_text(self) -> str:
        return join_texts(self.reply)


@dataclass(frozen=True, kw_only=True)
class ClientHistory:
    """A client's messages. `past` rounds are all answered."""

    #: Instructions before the first other message.
    preface: tuple[ClientMessage, ...]
    past: tuple[ClientRound, ...]
    #: What is asked now.
    current: ClientRound
    #: The beginning of an answer, which the model is to continue.
    prefill: tuple[ClientMessage, ...] = ()

    @property
    def question(self) -> str:
        """The user's last words: what is asked now, or what the tools' results are for."""
        rounds = (self.current, *reversed(self.past))
        return next((client_round.text for client_round in rounds if client_round.text.strip()), "")


def read_history(messages: Sequence[ClientMessage]) -> ClientHistory:
    count = next(
        (at for at, message in enumerate(messages) if message["role"] not in INSTRUCTING),
        len(messages),
    )
    rounds = _split(messages[count:])
    last = rounds.pop() if rounds else ClientRound(request=())
    prefill = last.reply
    return ClientHistory(
        preface=tuple(messages[:count]),
        past=tuple(rounds),
        current=replace(last, reply=()),
        prefill=prefill,
    )


def _split(messages: Sequence[ClientMessage]) -> list[ClientRound]:
    rounds: list[ClientRound] = []
    request: list[ClientMessage] = []
    reply: list[ClientMessage] = []
    for message in messages:
        if message["role"] == "assistant":
            reply.append(message)
            continue
        if reply:
            rounds.append(ClientRound(request=tuple(request), reply=tuple(reply)))
            request, reply = [], []
        request.append(message)
    if request or reply:
        rounds.append(ClientRound(request=tuple(request), reply=tuple(reply)))
    return rounds


def join_texts(messages: Iterable[ClientMessage]) -> str:
    texts = (text_of(message.get("content")) for message in messages)
    return "\n\n".join(text for text in texts if text)


def text_of(content: Any) -> str:
    """The text of a message's content: a string, or the text parts of a list."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = (part.get("text") for part in content if isinstance(part, dict))
    return "\n\n".join(text for text in texts if isinstance(text, str))


def calls_of(messages: Iterable[ClientMessage]) -> frozenset[str]:
    """The ids of the tools' calls in the assistant's messages."""
    return frozenset(
        call["id"]
        for message in messages
        for call in message.get("tool_calls") or ()
        if isinstance(call, dict) and isinstance(call.get("id"), str)
    )


def payload_of(messages: Sequence[ClientMessage]) -> list[ClientMessage] | None:
    """The messages that must be kept as they are. None: a user's plain text says it all."""
    if len(messages) == 1 and _is_plain(messages[0]):
        return None
    return list(messages)


def _is_plain(message: ClientMessage) -> bool:
    is_text = isinstance(message.get("content"), str)
    return (
        is_text
        and message["role"] in {"user", "assistant"}
        and set(message)
        == {
            "role",
            "content",
        }
    )
