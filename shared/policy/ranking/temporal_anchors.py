"""Temporal anchors: events that a question asks from ("before I moved", "on the day we met")."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Literal

from shared.models import Passage
from shared.policy.local_time import to_local

CLAUSE = re.compile(
    r"\b(?P<side>before|until|till|after|since)\s+(?P<text>(?:i|i['’]m|i['’]ve|we|my|our)\b[^?.!,;]+)",
    re.IGNORECASE,
)
EARLIER = ("before", "until", "till")
SAME_DAY = re.compile(
    r"\bon (?:the|that) (?:same )?(?:day|date|occasion|morning|afternoon|evening|night|weekend),? "
    r"(?:(?:that|when|on which|of) )?(?P<text>[^?.!,;—]{12,})",
    re.IGNORECASE,
)
LEAST_SHARE = 0.5  # the message about the event must contain this share of its words, by weight

Side = Literal["earlier", "later", "same day"]


@dataclass(frozen=True, kw_only=True)
class TemporalAnchor:
    """An event before or after which, or about whose day, a question asks."""

    side: Side
    #: The event in the question's words: "I moved to Ghent".
    text: str


def read_anchor(question: str) -> TemporalAnchor | None:
    """The first anchor of a question in the first person (`Question.for_meaning`)."""
    match = CLAUSE.search(question)
    if match is not None:
        side: Side = "earlier" if match["side"].lower() in EARLIER else "later"
        return TemporalAnchor(side=side, text=match["text"].strip())
    match = SAME_DAY.search(question)
    return TemporalAnchor(side="same day", text=match["text"].strip()) if match else None


def date_anchor(passages: Sequence[Passage], words: Mapping[str, float]) -> datetime | None:
    """The time of the message that contains most of the anchor's `words`, by weight.

    None: no message contains enough of them. If several messages tie, the earliest counts, since
    later messages look back.
    """
    weighed = [
        (sum(words.get(word, 0.0) for word in passage.matched), passage.said_at)
        for passage in passages
        if not passage.is_question
    ]
    most = max((weight for weight, _ in weighed), default=0.0)
    if most == 0.0 or most < LEAST_SHARE * sum(words.values()):
        return None
    return min(said_at for weight, said_at in weighed if weight == most)


def is_on_side(said_at: datetime, instant: datetime, side: Side, zone: tzinfo) -> bool:
    if side == "same day":
        return to_local(said_at, zone).date() == to_local(instant, zone).date()
    return said_at < instant if side == "earlier" else said_at > instant
