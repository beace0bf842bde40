"""When an episode is due, and which messages it closes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.models import Span
from shared.policy.episodes import EpisodeRule, episode_span, pending_to_be_due

DEFAULT = EpisodeRule(trigger=20, keep=10)
RULES = st.one_of(
    st.integers(1, 30).flatmap(
        lambda trigger: st.builds(
            EpisodeRule, trigger=st.just(trigger), keep=st.integers(0, trigger - 1)
        )
    ),
    st.builds(EpisodeRule, trigger=st.just(20), keep=st.just(10), window_limit=st.integers(1, 20)),
)


def spans_of(rule: EpisodeRule, messages: int) -> list[tuple[int, int]]:
    """All that is closed while a conversation grows, round by round."""
    closed: list[tuple[int, int]] = []
    for last in range(1, messages, 2):
        while span := episode_span(closed[-1][1] + 1 if closed else 0, last, rule):
            closed.append((span.start, span.end))
    return closed


def test_a_hundred_messages_close_tens_and_keep_the_newest_ten() -> None:
    expected = [(start, start + 9) for start in range(0, 90, 10)]
    assert spans_of(DEFAULT, 100) == expected


def test_by_the_n_plus_1_rule_the_sixth_message_closes_the_oldest_five() -> None:
    rule = EpisodeRule(trigger=20, keep=10, window_limit=5)
    assert episode_span(0, 4, rule) is None
    assert episode_span(0, 5, rule) == Span(start=0, end=4)
    assert spans_of(rule, 22) == [(0, 4), (5, 9), (10, 14), (15, 19)]


def test_after_an_import_no_episode_outgrows_a_prompt() -> None:
    spans = spans_of(DEFAULT, 2)
    assert spans == []
    assert episode_span(0, 999, DEFAULT) == Span(start=0, end=19)


@given(RULES, st.integers(0, 300))
def test_no_message_is_in_two_episodes_and_none_is_skipped(rule: EpisodeRule, last: int) -> None:
    first = 0
    while span := episode_span(first, last, rule):
        assert span.start == first
        assert span.end >= span.start
        first = span.end + 1
    assert last - first + 1 < pending_to_be_due(rule)


@given(RULES, st.integers(0, 50), st.integers(0, 300))
def test_it_is_due_from_the_stated_number_on(rule: EpisodeRule, first: int, last: int) -> None:
    pending = last - first + 1
    assert (episode_span(first, last, rule) is not None) == (pending >= pending_to_be_due(rule))


@pytest.mark.parametrize("pending", [20, 25, 30])
def test_the_newest_ten_stay_open(pending: int) -> None:
    span = episode_span(0, pending - 1, DEFAULT)
    assert span is not None
    assert pending - 1 - span.end == 10
