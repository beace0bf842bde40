"""Check that a conversation has every message that was sent, in order and without a hole. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Message = dict[str, Any]


def list_faults(sent_texts: Sequence[str], messages: Sequence[Message]) -> list[str]:
    """One sentence for each fault. `messages` are as the API lists them, oldest first."""
    return [
        *_wrong_numbers(messages),
        *_wrong_roles(messages),
        *_wrong_texts(sent_texts, [m["content"] for m in messages if m["role"] == "user"]),
        *_open_replies(messages),
    ]


def _wrong_numbers(messages: Sequence[Message]) -> list[str]:
    numbers = [message["sequence_number"] for message in messages]
    if numbers == list(range(len(numbers))):
        return []
    return [f"sequence numbers are not 0 to {len(numbers) - 1}: {numbers}"]


def _wrong_roles(messages: Sequence[Message]) -> list[str]:
    return [
        f"message {message['sequence_number']} is the {message['role']}'s"
        for message in messages
        if (message["role"] == "user") != (message["sequence_number"] % 2 == 0)
    ]


def _wrong_texts(sent_texts: Sequence[str], stored_texts: Sequence[str]) -> list[str]:
    differing = [
        f"text {number} is not what was sent"
        for number, (ours, theirs) in enumerate(zip(sent_texts, stored_texts, strict=False))
        if ours != theirs
    ]
    if len(sent_texts) != len(stored_texts):
        differing.append(f"{len(sent_texts)} texts were sent, {len(stored_texts)} are there")
    return differing


def _open_replies(messages: Sequence[Message]) -> list[str]:
    return [
        f"reply {message['sequence_number']} is still being written"
        for message in messages
        if message["status"] == "streaming"
    ]
