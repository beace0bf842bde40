"""Which candidates are worth a closer look, from what the indexes tell of them alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from shared.models import ConversationId, Place, Span
from shared.policy.ranking.passages import UNRELATED
from shared.policy.ranking.weights import WEIGHTS


def choose_best(
    near: Mapping[Place, float], holding: Mapping[Place, float], limit: int
) -> list[Place]:
    """The first by meaning and words. `near` are cosines, `holding` scores of any scale.

    What is not among `near` is taken to be as near as the last of them, which it is at most.
    """
    meaning = {place: max(0.0, cosine - UNRELATED) for place, cosine in near.items()}
    least, nearest = min(meaning.values(), default=0.0), max(meaning.values(), default=0.0) or 1.0
    most = max(holding.values(), default=0.0) or 1.0
    scores = {
        place: WEIGHTS.meaning * meaning.get(place, least) / nearest
        + WEIGHTS.words * holding.get(place, 0.0) / most
        for place in near.keys() | holding.keys()
    }
    return sorted(scores, key=lambda place: (-scores[place], place))[:limit]


def windows_around(
    places: Iterable[Place], beside: int, *, wider: Collection[Place] = ()
) -> list[tuple[ConversationId, Span]]:
    """Each place with `beside` so many to either side, the `wider` ones with one more; no message
    is in two of them.
    """
    windows: list[tuple[ConversationId, Span]] = []
    for place in sorted(places):
        conversation_id, number = place
        reach = beside + (place in wider)
        first, last = max(0, number - reach), number + reach
        if windows and windows[-1][0] == conversation_id and windows[-1][1].end >= first - 1:
            first = windows.pop()[1].start
        windows.append((conversation_id, Span(start=first, end=last)))
    return windows
