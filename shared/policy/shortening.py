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
    shares = share_evenly([min(measure(one), room) for one in messages], room * most_parts)
    fitting = [
        _cut_message(one, share, measure) for one, share in zip(messages, shares, strict=True)
    ]
    parts: list[list[Said]] = []
    left = 0
    for one in fitting:
        size = measure(one)
        if not parts or size > left:
            parts.append([])
            left = room
        parts[-1].append(one)
        left -= size
    return parts


def cut_middle(text: str, tokens: int, count_tokens: CountTokens) -> str:
    """Cut a text to at most about `tokens`: its beginning, a mark, and its end."""
    size = count_tokens(text)
    kept = len(text)
    while size > tokens and kept > 1:
        kept = max(1, int(kept * min(0.95, max(tokens, 1) / size)))
        size = count_tokens(_ends(text, kept))
    return text if kept == len(text) else _ends(text, kept)


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


def _ends(text: str, kept: int) -> str:
    half = kept // 2
    return text[: kept - half] + CUT_MARK + (text[-half:] if half else "")
