"""The turns that a prompt contains word for word."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.models import Role, Span, Turn
from shared.policy.budget import Room
from shared.policy.shortening import CUT_MARK
from shared.policy.verbatim import (
    MAX_UNANSWERED,
    PER_MESSAGE_TOKENS,
    Verbatim,
    choose_verbatim,
)


def words(text: str) -> int:
    return len(text.split())


def turn(seq: int, size: int) -> Turn:
    role: Role = "assistant" if seq % 2 else "user"
    return Turn(role=role, content=" ".join(f"w{seq}" for _ in range(size)), ts=0.0, seq=seq)


def turns(*sizes: int) -> list[Turn]:
    """Size 0 is a reply that failed: it has no turn."""
    return [turn(seq, size) for seq, size in enumerate(sizes) if size]


def choose(history: list[Turn], gap_start: int, room: Room) -> Verbatim:
    return choose_verbatim(reversed(history), gap_start, room, words)


def sequences(verbatim: Verbatim) -> list[int]:
    return [turn.seq for turn in verbatim.turns]


# A conversation of user messages that were each said, and replies of which some failed.
SAID = st.lists(st.tuples(st.integers(1, 60), st.integers(0, 60)), max_size=30).map(
    lambda rounds: turns(*(size for pair in rounds for size in pair))
)
ROOMS = st.builds(Room, tokens=st.integers(0, 3000), recent=st.integers(0, 1500))


def last_answered(history: list[Turn]) -> int | None:
    return max((message.seq for message in history if message.role == "assistant"), default=None)


@given(SAID, st.integers(0, 60), ROOMS)
def test_the_newest_turns_are_given_without_a_hole(
    history: list[Turn], gap_start: int, room: Room
) -> None:
    numbers = sequences(choose(history, gap_start, room))
    assert numbers == [message.seq for message in history][len(history) - len(numbers) :]


@given(SAID, st.integers(0, 60), ROOMS.filter(lambda room: room.recent > 0))
def test_the_last_complete_round_is_always_given(
    history: list[Turn], gap_start: int, room: Room
) -> None:
    answered = last_answered(history)
    if answered is not None and history[-1].seq - answered < 2 * MAX_UNANSWERED:
        assert {answered - 1, answered} <= set(sequences(choose(history, gap_start, room)))


@given(SAID, st.integers(0, 60), ROOMS)
def test_the_whole_gap_is_given_where_it_fits(
    history: list[Turn], gap_start: int, room: Room
) -> None:
    gap = [message for message in history if message.seq >= gap_start - gap_start % 2]
    if sum(words(message.content) + PER_MESSAGE_TOKENS for message in gap) <= room.turns:
        chosen = choose(history, gap_start, room)
        assert {message.seq for message in gap if message.seq >= gap_start} <= set(
            sequences(chosen)
        )
        assert chosen.left_out is None


@given(SAID, st.integers(0, 60), ROOMS)
def test_what_is_missing_of_the_gap_is_told(
    history: list[Turn], gap_start: int, room: Room
) -> None:
    chosen = choose(history, gap_start, room)
    missing = {message.seq for message in history if message.seq >= gap_start} - set(
        sequences(chosen)
    )
    left_out = chosen.left_out
    assert missing == {
        message.seq
        for message in history
        if left_out is not None and left_out.start <= message.seq <= left_out.end
    }


@given(SAID, st.integers(0, 60), st.integers(0, 3000))
def test_without_room_for_recent_rounds_the_gap_is_all_there_is(
    history: list[Turn], gap_start: int, tokens: int
) -> None:
    chosen = choose(history, gap_start, Room(tokens=tokens, recent=0))
    assert all(seq >= gap_start for seq in sequences(chosen))


def test_as_many_whole_rounds_as_fit() -> None:
    history = turns(*([6, 6] * 50))  # a round takes 20 tokens
    assert sequences(choose(history, 100, Room(tokens=8000, recent=70))) == [94, 95, 96, 97, 98, 99]


def test_a_round_that_failed_does_not_count_as_the_last_complete_one() -> None:
    history = turns(5, 5, 5, 5, 5, 0)
    assert sequences(choose(history, 6, Room(tokens=8000, recent=1))) == [2, 3, 4]


def test_the_last_round_is_whole_though_it_is_longer_than_recent_rounds_may_be() -> None:
    history = turns(5, 5, 10, 900)
    chosen = choose(history, 4, Room(tokens=8000, recent=300))
    assert (sequences(chosen), chosen.shortened) == ([2, 3], ())


def test_a_round_that_alone_is_too_long_is_cut_in_its_middle() -> None:
    history = turns(5, 5, 10, 9000)
    chosen = choose(history, 4, Room(tokens=1000, recent=300))
    question, reply = chosen.turns
    assert question.content == history[2].content
    assert CUT_MARK in reply.content
    assert chosen.shortened == (3,)
    assert 600 <= chosen.tokens <= Room(tokens=1000).turns


def test_no_more_turns_are_read_than_it_takes() -> None:
    read: list[int] = []

    def newest_first() -> Iterator[Turn]:
        for message in reversed(turns(*([6, 6] * 50))):
            read.append(message.seq)
            yield message

    choose_verbatim(newest_first(), 100, Room(tokens=8000, recent=70), words)
    assert min(read) >= 90


@pytest.mark.parametrize("seq", [3, 4, 9])
def test_it_says_which_messages_it_contains(seq: int) -> None:
    verbatim = Verbatim(turns=(turn(4, 1), turn(5, 1)))
    assert verbatim.contains(seq) == (seq >= 4)
    assert not Verbatim().contains(seq)


def test_the_part_of_the_gap_that_is_left_out_is_named() -> None:
    """Of 350 tokens half are taken, so that the next prompts can begin there, too."""
    history = turns(*([21, 21] * 10))  # a round takes 50 tokens
    room = Room(tokens=500, recent=100)
    chosen = choose(history, 4, room)
    assert sequences(chosen) == [14, 15, 16, 17, 18, 19]
    assert chosen.left_out == Span(start=4, end=13)
    more = turns(*([21, 21] * 14))
    later = choose_verbatim(reversed(more), 4, room, words, start=14)
    assert sequences(later) == list(range(14, 28))
    assert later.left_out == Span(start=4, end=13)


def test_turns_are_only_added_until_the_room_is_full() -> None:
    """Then about half of it stays, and the next prompts begin with that."""
    room = Room(tokens=1000, recent=350)  # 700 for turns; a round takes 50
    start, starts = None, []
    for count in range(1, 41):
        history = turns(*([21, 21] * count))
        chosen = choose_verbatim(reversed(history), 2 * count - 2, room, words, start=start)
        assert sequences(chosen) == list(range(chosen.turns[0].seq, 2 * count))
        start = chosen.turns[0].seq
        starts.append(start)
    assert sorted(set(starts)) == [0, 16, 32, 48, 64][: len(set(starts))]


def test_a_gap_that_begins_before_the_last_prompt_did_is_given_as_well() -> None:
    """The summary was discarded, because a message was edited."""
    history = turns(*([6, 6] * 20))
    chosen = choose_verbatim(reversed(history), 10, Room(tokens=8000, recent=70), words, start=20)
    assert sequences(chosen) == list(range(10, 40))
    assert chosen.left_out is None


def test_the_source_documents_prompt_begins_where_the_newest_summary_ends() -> None:
    history = turns(*([6, 6] * 20))
    chosen = choose_verbatim(reversed(history), 36, Room(tokens=8000, recent=0), words, start=20)
    assert sequences(chosen) == [36, 37, 38, 39]
