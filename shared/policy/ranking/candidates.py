"""Choose the messages to score, by the results of the two index searches."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from shared.models import Calibration, ConversationId, MessageKey, Shortlist, Span
from shared.policy.ranking.passages import REACH
from shared.policy.ranking.weights import WEIGHTS

CANDIDATES = 50  # messages that are scored together with their neighbours
BEST = 10  # these get `REACH` neighbours on either side, the other candidates one less


def make_shortlist(
    similarities: Mapping[MessageKey, float],
    word_scores: Mapping[MessageKey, float],
    calibration: Calibration,
    said_then: Sequence[MessageKey] = (),
) -> Shortlist:
    """The best candidates of both searches, and the messages around them.

    `said_then` are messages of the days that the question names. They are candidates, too.
    """
    candidates = choose_best(similarities, word_scores, calibration, CANDIDATES)
    candidates += [key for key in dict.fromkeys(said_then) if key not in set(candidates)]
    windows = windows_around(candidates, REACH - 1, wider=candidates[:BEST])
    return Shortlist(candidates=candidates, windows=windows)


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


def windows_around(
    keys: Iterable[MessageKey], reach: int, *, wider: Collection[MessageKey] = ()
) -> list[tuple[ConversationId, Span]]:
    """Each message with `reach` neighbours on either side. Messages in `wider` have one more.

    Windows that meet are joined, so no message is in two windows.
    """
    windows: list[tuple[ConversationId, Span]] = []
    for key in sorted(keys):
        conversation_id, number = key
        steps = reach + 1 if key in wider else reach
        first, last = max(0, number - steps), number + steps
        if windows and windows[-1][0] == conversation_id and windows[-1][1].end >= first - 1:
            first = windows.pop()[1].start
        windows.append((conversation_id, Span(start=first, end=last)))
    return windows
