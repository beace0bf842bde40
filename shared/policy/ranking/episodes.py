"""Putting candidates in order. Each kind of score is scaled to 0..1 for one query, then summed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shared.models import Episode, FoundEpisode, Span

MEANING_WEIGHT = 1.0
WORDS_WEIGHT = 0.5


def rank_episodes(
    by_meaning: Sequence[FoundEpisode], by_words: Sequence[FoundEpisode], limit: int
) -> list[Episode]:
    """The best of both lists. An episode in one list only has nothing from the other."""
    scores: dict[int, float] = {}
    episodes: dict[int, Episode] = {}
    for weight, found in ((MEANING_WEIGHT, by_meaning), (WORDS_WEIGHT, by_words)):
        for one, share in _scaled(found):
            episode_id = one.episode.episode_id
            episodes[episode_id] = one.episode
            scores[episode_id] = scores.get(episode_id, 0.0) + weight * share
    order = sorted(scores, key=lambda episode_id: (-scores[episode_id], -episode_id))
    return [episodes[episode_id] for episode_id in order[:limit]]


def leave_out_given(
    found: Iterable[FoundEpisode], conversation_id: str, given: Span | None
) -> list[FoundEpisode]:
    """Without the episodes all of whose messages the prompt holds already."""
    return [one for one in found if not _is_given(one.episode, conversation_id, given)]


def _is_given(episode: Episode, conversation_id: str, given: Span | None) -> bool:
    return (
        given is not None
        and episode.conversation_id == conversation_id
        and given.start <= episode.span.start
        and episode.span.end <= given.end
    )


def _scaled(found: Sequence[FoundEpisode]) -> list[tuple[FoundEpisode, float]]:
    top = max((one.score for one in found), default=0.0)
    return [(one, max(0.0, one.score) / top if top > 0 else 0.0) for one in found]
