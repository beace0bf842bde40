"""Episodes in order: messages first, summaries decide between near equals."""

from __future__ import annotations

import pytest

from shared.models import ConversationId, FoundEpisode, Span
from shared.policy.ranking import leave_out_given, rank_episodes
from shared.policy.ranking.episodes import FoundEpisodes


def found_episode(number: int, score: float, *, start: int = 0, end: int = 9) -> FoundEpisode:
    return FoundEpisode(
        episode_id=number,
        conversation_id=ConversationId(f"c{number}"),
        span=Span(start=start, end=end),
        score=score,
    )


def order(lists: FoundEpisodes, limit: int = 9) -> list[int]:
    return [episode.episode_id for episode in rank_episodes(lists, limit)]


def test_the_best_message_decides_against_both_scores_of_summaries() -> None:
    lists = FoundEpisodes(
        by_messages=[found_episode(1, 2.0), found_episode(2, 3.0)],
        by_meaning=[found_episode(1, 0.9)],
        by_words=[found_episode(1, 0.1)],
    )
    assert order(lists) == [2, 1]


def test_summaries_decide_between_messages_that_are_nearly_as_good() -> None:
    equal = [found_episode(1, 2.99), found_episode(2, 3.0)]
    assert order(FoundEpisodes(by_messages=equal)) == [2, 1]
    assert order(FoundEpisodes(by_messages=equal, by_meaning=[found_episode(1, 0.9)])) == [1, 2]
    assert order(FoundEpisodes(by_messages=equal, by_words=[found_episode(1, 0.1)])) == [1, 2]


def test_without_messages_the_summaries_alone_decide() -> None:
    lists = FoundEpisodes(
        by_meaning=[found_episode(1, 0.6), found_episode(2, 0.5)],
        by_words=[found_episode(2, 0.1), found_episode(3, 0.04)],
    )
    assert order(lists) == [2, 1, 3]


def test_an_episode_in_several_lists_comes_once_and_the_newer_of_equals_first() -> None:
    lists = FoundEpisodes(
        by_messages=[found_episode(1, 3.0), found_episode(2, 3.0)],
        by_words=[found_episode(1, 0.1), found_episode(2, 0.1)],
    )
    assert order(lists) == [2, 1]
    assert order(lists, limit=1) == [2]


@pytest.mark.parametrize("score", [0.0, -0.2])
def test_scores_that_say_nothing_lead_to_no_error(score: float) -> None:
    assert order(FoundEpisodes(by_meaning=[found_episode(1, score), found_episode(2, score)])) == [
        2,
        1,
    ]
    assert order(FoundEpisodes()) == []


@pytest.mark.parametrize("kind", ["by_messages", "by_meaning", "by_words"])
def test_what_the_prompt_holds_whole_is_left_out_of_each_list(kind: str) -> None:
    inside, across, elsewhere = (
        found_episode(1, 1.0, start=4),
        found_episode(1, 1.0),
        found_episode(2, 1.0, start=4),
    )
    lists = FoundEpisodes(**{kind: [inside, across, elsewhere]})
    rest = leave_out_given(lists, {"c1": Span(start=4, end=20)}, {})
    assert getattr(rest, kind) == [across, elsewhere]
    replaced = {"c1": across.span.end, "c2": elsewhere.span.end + 1}
    assert getattr(leave_out_given(lists, {}, replaced), kind) == [elsewhere]
