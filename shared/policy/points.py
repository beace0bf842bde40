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
    words_by_message = {
        message.sequence_number: find_content(message.content) for message in messages
    }
    attributed = [_attribute(point, words_by_message) for point in points]
    return tuple(point for point in attributed if point is not None) or tuple(points)


def drop_repeats(new: Sequence[Point], known: Sequence[Point]) -> list[Point]:
    """The points of `new` without repetitions of `known` points and of one another."""
    unique_points: list[Point] = []
    for point in new:
        if not any(says_the_same(point, other) for other in (*known, *unique_points)):
            unique_points.append(point)
    return unique_points


def says_the_same(point: Point, other: Point) -> bool:
    """Whether `point` adds nothing to `other`. A number that `other` lacks is always new."""
    point_words, other_words = find_words(point.text), find_words(other.text)
    if not numbers(point_words) <= numbers(other_words):
        return False
    contained = sum(weight for word, weight in point_words.items() if word in other_words)
    return overlap(point_words, other_words) >= SAME or contained >= CONTAINED * sum(
        point_words.values()
    )


def cap_points(points: Sequence[Point], read: int) -> list[Point]:
    """At most one point per `read` message, and few points that begin with the same message."""
    most = max(LEAST_CAP, read)
    begun: dict[int, int] = {}
    first_points: list[Point] = []
    for point in points:
        begun[point.first] = begun.get(point.first, 0) + 1
        if begun[point.first] <= MOST_OF_ONE_MESSAGE:
            first_points.append(point)
    return first_points[:most]


def _attribute(point: Point, words_by_message: Mapping[int, set[str]]) -> Point | None:
    words = find_content(point.text)
    claimed = _support(words, words_by_message, point.first, point.last)
    if claimed >= WELL_SUPPORTED:
        return point
    runs = [(at, at + more) for more in (0, 1) for at in words_by_message]
    first, last = max(runs, key=lambda run: _support(words, words_by_message, *run))
    if _support(words, words_by_message, first, last) >= WELL_SUPPORTED:
        return replace(point, first=first, last=min(last, max(words_by_message)))
    return point if claimed > 0 else None


def _support(
    words: set[str], words_by_message: Mapping[int, set[str]], first: int, last: int
) -> float:
    """The share of `words` that the messages from `first` to `last` contain."""
    shared_words = {
        word
        for at in words_by_message
        if first <= at <= last
        for word in words & words_by_message[at]
    }
    return len(shared_words) / len(words) if words else 0.0
