"""Choose the messages to score, by the results of the two index searches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shared.models import Calibration, ConversationId, MessageKey, Shortlist, Span
from shared.policy.ranking.passages import REACH
from shared.policy.ranking.weights import WEIGHTS

CANDIDATES = 100  # messages that are scored
WITH_NEIGHBOURS = 50  # the best of them are scored together with their neighbours
BEST = 10  # these get `REACH` neighbours on either side, the others one less


def make_shortlist(
    similarities: Mapping[MessageKey, float],
    word_scores: Mapping[MessageKey, float],
    calibration: Calibration,
    said_then: Sequence[MessageKey] = (),
) -> Shortlist:
    """The best candidates of both searches, and the messages around them.

    `said_then` are messages of the times that the question names. They are candidates, too.
    """
    best = choose_best(similarities, word_scores, calibration, CANDIDATES)
    known = set(best)
    then = [key for key in dict.fromkeys(said_then) if key not in known]
    reaches = dict.fromkeys(best, 0)
    reaches |= dict.fromkeys([*best[:WITH_NEIGHBOURS], *then], REACH - 1)
    reaches |= dict.fromkeys(best[:BEST], REACH)
    return Shortlist(candidates=[*best, *then], windows=windows_around(reaches))


def choose_best(
    similarities: Mapping[MessageKey, float],
    word_scores: Mapping[MessageKey, float],
    calibration: Calibration,
    limit: int,
) -> list[MessageKey]:
    """The messages with the best scores by meaning and words together, best first.

    `similarities` are the cosines of the nearest messages; `word_scores` may have any scale. A
    message without a similarity gets the lowest of them.
    """
    meaning = {key: max(0.0, cosine - calibration.floor) for key, cosine in similarities.items()}
    lowest, highest = min(meaning.values(), default=0.0), max(meaning.values(), default=0.0) or 1.0
    best_words = max(word_scores.values(), default=0.0) or 1.0
    for_meaning, for_words = (
        calibration.trust * WEIGHTS.meaning / highest,
        WEIGHTS.words / best_words,
    )
    scores = {
        key: for_meaning * meaning.get(key, lowest) + for_words * word_scores.get(key, 0.0)
        for key in similarities.keys() | word_scores.keys()
    }
    return sorted(scores, key=lambda key: (-scores[key], key))[:limit]


def windows_around(reaches: Mapping[MessageKey, int]) -> list[tuple[ConversationId, Span]]:
    """Each message with so many neighbours on either side.

    Windows that meet are joined, so no message is in two windows.
    """
    spans = sorted(
        (key.conversation_id, max(0, key.sequence_number - reach), key.sequence_number + reach)
        for key, reach in reaches.items()
    )
    windows: list[tuple[ConversationId, Span]] = []
    for conversation_id, first, last in spans:
        span = Span(start=first, end=last)
        if windows and windows[-1][0] == conversation_id and windows[-1][1].end >= first - 1:
            before = windows.pop()[1]
            span = Span(start=before.start, end=max(before.end, last))
        windows.append((conversation_id, span))
    return windows
