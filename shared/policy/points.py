"""Checks the points of a summary against the messages: a model may cite the wrong ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from shared.models import Message, Point
from shared.policy.wording import find_content, find_words, numbers, overlap

WELL_SUPPORTED = 0.5  # the share of a point's content words that its messages must contain
SAME = 0.75  # the least overlap of two points that say the same
CONTAINED = 0.9  # if another point has this share of a point's words, the point adds nothing
MOST_OF_ONE_MESSAGE = 2  # the most points that begin with the same message
LEAST_CAP = 2  # a summary may always have so many new points


def attribute_points(points: Sequence[Point], messages: Sequence[Message]) -> tuple[Point, ...]:
    """The points that `messages` support, each with the messages that do.

    If a point cites the wrong messages, it is moved to those that contain its words. It is dropped
    if there are none, and the cited messages contain no content word of it. If all points would be
    dropped, all are kept: the summary may be in another language than the messages.
    """
    said = {one.sequence_number: find_content(one.content) for one in messages}
    attributed = [_attribute(point, said) for point in points]
    return tuple(point for point in attributed if point is not None) or tuple(points)


def drop_repeats(new: Sequence[Point], known: Sequence[Point]) -> list[Point]:
    """The points of `new` without repetitions of `known` points and of one another."""
    kept: list[Point] = []
    for point in new:
        if not any(says_the_same(point, other) for other in (*known, *kept)):
            kept.append(point)
    return kept


def says_the_same(point: Point, other: Point) -> bool:
    """Whether `point` adds nothing to `other`. A number that `other` lacks is always new."""
    one, two = find_words(point.text), find_words(other.text)
    if not numbers(one) <= numbers(two):
        return False
    contained = sum(weight for word, weight in one.items() if word in two)
    return overlap(one, two) >= SAME or contained >= CONTAINED * sum(one.values())


def cap_points(points: Sequence[Point], read: int) -> list[Point]:
    """At most one point per `read` message, and few points that begin with the same message."""
    most = max(LEAST_CAP, read)
    begun: dict[int, int] = {}
    kept: list[Point] = []
    for point in points:
        begun[point.first] = begun.get(point.first, 0) + 1
        if begun[point.first] <= MOST_OF_ONE_MESSAGE:
            kept.append(point)
    return kept[:most]


def _attribute(point: Point, said: Mapping[int, set[str]]) -> Point | None:
    words = find_content(point.text)
    claimed = _support(words, said, point.first, point.last)
    if claimed >= WELL_SUPPORTED:
        return point
    runs = [(at, at + more) for more in (0, 1) for at in said]
    first, last = max(runs, key=lambda run: _support(words, said, *run))
    if _support(words, said, first, last) >= WELL_SUPPORTED:
        return replace(point, first=first, last=min(last, max(said)))
    return point if claimed > 0 else None


def _support(words: set[str], said: Mapping[int, set[str]], first: int, last: int) -> float:
    """The share of `words` that the messages from `first` to `last` contain."""
    found = {word for at in said if first <= at <= last for word in words & said[at]}
    return len(found) / len(words) if words else 0.0
