"""Rank episodes: the scores of each kind of search are scaled to 0..1, weighted and added."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from shared.models import Episode, FoundEpisode, Span
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
    candidates: FoundEpisodes, limit: int, weights: EpisodeWeights = EPISODE_WEIGHTS
) -> list[FoundEpisode]:
    """The best episodes of all lists, best first, each with its score in all of them.

    A list in which an episode is missing adds 0 to its score.
    """
    scores: dict[int, float] = {}
    episodes: dict[int, FoundEpisode] = {}
    for weight, listed in (
        (weights.messages, candidates.by_messages),
        (weights.meaning, candidates.by_meaning),
        (weights.words, candidates.by_words),
    ):
        for episode, share in _scaled(listed):
            episodes[episode.episode_id] = episode
            scores[episode.episode_id] = scores.get(episode.episode_id, 0.0) + weight * share
    order = sorted(scores, key=lambda episode_id: (-scores[episode_id], -episode_id))
    return [replace(episodes[each], score=scores[each]) for each in order[:limit]]


def leave_out_given(
    candidates: FoundEpisodes, prompt_spans: Mapping[str, Span], replaced: Mapping[str, int]
) -> FoundEpisodes:
    """Leave out episodes of which the prompt already contains all messages.

    `prompt_spans` has by conversation the messages that it contains. Episodes with messages from
    `replaced` on, by conversation, are left out, too: another branch has them in place of its own.
    """

    def rest(listed: Iterable[FoundEpisode]) -> list[FoundEpisode]:
        return [
            episode
            for episode in listed
            if not _is_given(episode, prompt_spans) and not is_replaced(episode, replaced)
        ]

    return FoundEpisodes(
        by_messages=rest(candidates.by_messages),
        by_meaning=rest(candidates.by_meaning),
        by_words=rest(candidates.by_words),
    )


def is_replaced(episode: FoundEpisode | Episode, replaced: Mapping[str, int]) -> bool:
    """Whether the open branch has other messages in place of some of the episode's."""
    first = replaced.get(episode.conversation_id)
    return first is not None and episode.span.end >= first


def _is_given(episode: FoundEpisode, prompt_spans: Mapping[str, Span]) -> bool:
    span = prompt_spans.get(episode.conversation_id)
    return span is not None and span.start <= episode.span.start and episode.span.end <= span.end


def _scaled(episodes: Sequence[FoundEpisode]) -> list[tuple[FoundEpisode, float]]:
    top = max((episode.score for episode in episodes), default=0.0)
    return [(episode, max(0.0, episode.score) / top if top > 0 else 0.0) for episode in episodes]
