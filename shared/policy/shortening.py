"""Fit messages into a model's context: divide them into parts, then cut the longest ones.

Sizes are in tokens, counted by an argument, so that this module knows no model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from shared.models import Heard, Message

CUT_MARK = "\n[… cut …]\n"
# How many full parts the messages of one span may fill. Since parts are seldom full, there may
# be more parts.
MOST_PARTS = 4

Said = TypeVar("Said", Message, Heard)
CountTokens = Callable[[str], int]


def split_messages(
    messages: Sequence[Said],
    room: int,
    measure: Callable[[Said], int],
    most_parts: int = MOST_PARTS,
) -> list[list[Said]]:
    """The messages in order, in parts of at most `room` tokens.

    All parts together have at most `most_parts * room` tokens. To fit, the longest messages are cut
    in the middle; short messages stay whole.
    """
    shares = share_evenly([min(measure(message), room) for message in messages], room * most_parts)
    fitting = [
        _cut_message(message, share, measure)
        for message, share in zip(messages, shares, strict=True)
    ]
    parts: list[list[Said]] = []
    left = 0
    for message in fitting:
        size = measure(message)
        if not parts or size > left:
            parts.append([])
            left = room
        parts[-1].append(message)
        left -= size
    return parts


def room_of_part(sizes: Sequence[int], room: int, most: int | None) -> int:
    """How many of `room` tokens one call reads: at most so many, or else the longest message."""
    return room if most is None else min(room, max(most, *sizes, 1))


def cut_middle(text: str, tokens: int, count_tokens: CountTokens) -> str:
    """Cut a text to at most about `tokens`: its beginning, a mark, and its end."""
    size = count_tokens(text)
    chars = len(text)
    while size > tokens and chars > 1:
        chars = max(1, int(chars * min(0.95, max(tokens, 1) / size)))
        size = count_tokens(_ends(text, chars))
    return text if chars == len(text) else _ends(text, chars)


def share_evenly(sizes: Sequence[int], room: int) -> list[int]:
    """Divide `room`: small items get all that they need, large items get equal shares."""
    shares = [0] * len(sizes)
    waiting = sorted(range(len(sizes)), key=lambda index: sizes[index])
    for count, index in enumerate(waiting):
        shares[index] = min(sizes[index], max(0, room) // (len(waiting) - count))
        room -= shares[index]
    return shares


def _cut_message(message: Said, tokens: int, measure: Callable[[Said], int]) -> Said:
    """`measure` counts a message as the prompt contains it, with its tags and escapes."""

    def count(text: str) -> int:
        return measure(replace(message, content=text))

    return replace(message, content=cut_middle(message.content, tokens, count))


def _ends(text: str, chars: int) -> str:
    half = chars // 2
    return text[: chars - half] + CUT_MARK + (text[-half:] if half else "")
