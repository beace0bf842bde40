"""Messages that are divided or cut to fit."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from shared.models import Heard
from shared.policy.shortening import (
    CUT_MARK,
    MOST_PARTS,
    cut_middle,
    share_evenly,
    split_messages,
)

ROOM = 100  # more than a mark takes


def heard(at: int, text: str) -> Heard:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return Heard(sequence_number=2 * at, role="user", content=text, created_at=now, turn=at)


def measure(message: Heard) -> int:
    """Letters, and 10 for the head."""
    return len(message.content) + 10


SIZES = st.lists(st.integers(0, 3000), max_size=30)


@given(SIZES, st.integers(ROOM, 2000))
def test_every_message_is_in_one_part_in_order_and_every_part_fits(
    sizes: list[int], room: int
) -> None:
    messages = [heard(at, "x" * size) for at, size in enumerate(sizes)]
    parts = split_messages(messages, room, measure)
    read = [message.sequence_number for part in parts for message in part]
    assert read == [message.sequence_number for message in messages]
    if room // 10 > len(sizes):  # else even the heads are too many
        assert all(sum(map(measure, part)) <= room for part in parts)
        assert len(parts) <= 2 * MOST_PARTS + 1


@given(SIZES, st.integers(ROOM, 2000))
def test_short_messages_stay_whole_while_a_long_one_can_be_cut(sizes: list[int], room: int) -> None:
    messages = [heard(at, "x" * size) for at, size in enumerate(sizes)]
    read = [message for part in split_messages(messages, room, measure) for message in part]
    cut = [message for message, whole in zip(read, messages, strict=True) if message != whole]
    whole = [message for message, other in zip(read, messages, strict=True) if message == other]
    assert all(
        CUT_MARK in message.content or len(message.content) <= len(CUT_MARK) + 1 for message in cut
    )
    if cut and whole:
        longest_whole = max(map(measure, whole))
        assert longest_whole <= max(len(m.content) + 10 for m in messages if m not in whole)


def test_what_fits_is_one_part_as_it_is() -> None:
    messages = [heard(0, "Hello."), heard(1, "And now?")]
    assert split_messages(messages, ROOM, measure) == [messages]


def test_one_part_is_enough_when_no_more_are_wanted() -> None:
    messages = [heard(at, "x" * 500) for at in range(4)]
    [part] = split_messages(messages, 300, measure, most_parts=1)
    assert sum(map(measure, part)) <= 300


@given(st.text(max_size=400), st.integers(0, 100))
def test_a_cut_text_keeps_its_ends_and_fits(text: str, tokens: int) -> None:
    cut = cut_middle(text, tokens, len)
    if len(text) <= tokens:
        assert cut == text
    else:
        head, _, tail = cut.partition(CUT_MARK)
        assert (text.startswith(head), text.endswith(tail)) == (True, True)
        assert len(cut) <= max(tokens, len(CUT_MARK) + 1)


@given(st.lists(st.integers(0, 500), min_size=1), st.integers(0, 2000))
def test_room_is_shared_so_that_none_gets_more_than_it_needs(sizes: list[int], room: int) -> None:
    shares = share_evenly(sizes, room)
    assert sum(shares) <= max(room, 0)
    assert all(share <= size for share, size in zip(shares, sizes, strict=True))
    short = [share for share, size in zip(shares, sizes, strict=True) if share < size]
    assert not short or max(shares) - min(short) <= len(sizes)
