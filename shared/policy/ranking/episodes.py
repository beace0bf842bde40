"""Rank episodes: the scores of each kind of search are scaled to 0..1, weighted and added."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from shared.models import FoundEpisode, Span
from shared.policy.ranking.weights import EPISODE_WEIGHTS, EpisodeWeights


@dataclass(frozen=True, kw_only=True)
class FoundEpisodes:
    """The episodes that each kind of search found."""

    #: Found because they contain relevant messages.
    by_messages: Sequence[FoundEpisode] = ()
    #: Found by the vectors of their summaries.
    by_meaning: Sequence[FoundEpisode] = ()
    #: Found by the words of their summaries.
    by_words: Sequence[FoundEpisode] = ()


def rank_episodes(
    found: FoundEpisodes, limit: int, weights: EpisodeWeights = EPISODE_WEIGHTS
) -> list[FoundEpisode]:
    """The best episodes of all lists, best first, each with its score in all of them.

    A list in which an episode is missing adds 0 to its score.
    """
    scores: dict[int, float] = {}
    episodes: dict[int, FoundEpisode] = {}
    for weight, listed in (
        (weights.messages, found.by_messages),
        (weights.meaning, found.by_meaning),
        (weights.words, found.by_words),
    ):
        for one, share in _scaled(listed):
            episodes[one.episode_id] = one
            scores[one.episode_id] = scores.get(one.episode_id, 0.0) + weight * share
    order = sorted(scores, key=lambda episode_id: (-scores[episode_id], -episode_id))
    return [replace(episodes[each], score=scores[each]) for each in order[:limit]]


def leave_out_given(found: FoundEpisodes, given: Mapping[str, Span]) -> FoundEpisodes:
    """Leave out episodes of which the prompt already contains all messages.

    `given` has by conversation the messages that it contains.
    """

    def rest(listed: Iterable[FoundEpisode]) -> list[FoundEpisode]:
        return [one for one in listed if not _is_given(one, given)]

    return FoundEpisodes(
        by_messages=rest(found.by_messages),
        by_meaning=rest(found.by_meaning),
        by_words=rest(found.by_words),
    )


def _is_given(episode: FoundEpisode, given: Mapping[str, Span]) -> bool:
    span = given.get(episode.conversation_id)
    return span is not None and span.start <= episode.span.start and episode.span.end <= span.end


def _scaled(found: Sequence[FoundEpisode]) -> list[tuple[FoundEpisode, float]]:
    top = max((one.score for one in found), default=0.0)
    return [(one, max(0.0, one.score) / top if top > 0 else 0.0) for one in found]
