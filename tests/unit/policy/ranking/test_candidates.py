"""The messages that are scored: the best by meaning and words, with their neighbours."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from shared.models import ENGLISH_MINILM, ConversationId, MessageKey, Span
from shared.policy.ranking.candidates import (
    CANDIDATES,
    WITH_NEIGHBOURS,
    choose_best,
    make_shortlist,
    windows_around,
)

SCALE = ENGLISH_MINILM
ONE, OTHER = ConversationId("1"), ConversationId("2")


def at(number: int, conversation_id: ConversationId = ONE) -> MessageKey:
    return MessageKey(conversation_id, number)


def test_the_nearest_comes_first() -> None:
    assert choose_best({at(0): 0.2, at(1): 0.9, at(2): 0.5}, {}, SCALE, 2) == [
        at(1),
        at(2),
    ]


def test_what_is_near_and_holds_the_words_comes_before_what_is_only_near() -> None:
    assert choose_best({at(0): 0.8, at(1): 0.8}, {at(1): 3.0}, SCALE, 2) == [at(1), at(0)]


def test_what_holds_the_words_is_taken_to_be_as_near_as_the_last_of_the_near() -> None:
    keys = choose_best({at(0): 0.9, at(1): 0.5}, {at(2): 7.0}, SCALE, 3)
    assert keys == [at(2), at(0), at(1)]


def test_without_a_vector_the_words_decide() -> None:
    assert choose_best({}, {at(0): 1.0, at(1): 2.0}, SCALE, 5) == [at(1), at(0)]


def test_where_nothing_is_near_and_no_word_is_held_there_is_nothing() -> None:
    assert choose_best({}, {}, SCALE, 5) == []


def test_likenesses_below_nothing_in_common_do_not_turn_the_order_round() -> None:
    assert choose_best({at(0): -0.9, at(1): -0.8}, {at(1): 1.0}, SCALE, 2) == [
        at(1),
        at(0),
    ]


def test_windows_that_meet_become_one() -> None:
    assert windows_around({at(9): 3, at(2): 3}) == [(ONE, Span(start=0, end=12))]


def test_a_wider_window_holds_one_more_on_either_side() -> None:
    assert windows_around({at(9): 2, at(30): 3}) == [
        (ONE, Span(start=7, end=11)),
        (ONE, Span(start=27, end=33)),
    ]


def test_windows_of_two_conversations_stay_apart() -> None:
    assert windows_around({at(9): 1, at(9, OTHER): 1}) == [
        (ONE, Span(start=8, end=10)),
        (OTHER, Span(start=8, end=10)),
    ]


def test_only_the_better_candidates_bring_their_neighbours() -> None:
    near = {at(10 * number): 1 - number / 200 for number in range(CANDIDATES + 1)}
    shortlist = make_shortlist(near, {}, SCALE, [at(5000)])
    spans = [span for _, span in shortlist.windows]
    assert shortlist.candidates == [*list(near)[:CANDIDATES], at(5000)]
    assert Span(start=10 * WITH_NEIGHBOURS, end=10 * WITH_NEIGHBOURS) in spans
    assert Span(start=10 * WITH_NEIGHBOURS - 11, end=10 * WITH_NEIGHBOURS - 9) in spans
    assert Span(start=4999, end=5001) in spans


REACHES = st.dictionaries(
    st.builds(at, st.integers(0, 60), st.sampled_from([ONE, OTHER])), st.integers(0, 4)
)


@given(REACHES)
def test_windows_hold_every_place_with_its_surroundings_once(
    reaches: dict[MessageKey, int],
) -> None:
    places = [
        (conversation_id, number)
        for conversation_id, span in windows_around(reaches)
        for number in range(span.start, span.end + 1)
    ]
    expected = {
        (conversation_id, number + step)
        for (conversation_id, number), reach in reaches.items()
        for step in range(-reach, reach + 1)
    }
    assert len(places) == len(set(places))
    assert set(places) == {place for place in expected if place[1] >= 0}
