"""A summary's points, held against what was said: a model's numbers and words are only claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from shared.models import Message, Point
from shared.policy.wording import find_content, find_words, numbers, overlap

WELL_SUPPORTED = 0.5  # of a point's content words
SAME = 0.75  # of all that two points say
HELD = 0.9  # of a point's words that another one holds: it adds nothing
MOST_OF_ONE_MESSAGE = 2
FEWEST_AT_MOST = 2  # points of a single message


def place_points(points: Sequence[Point], messages: Sequence[Message]) -> tuple[Point, ...]:
    """The points that `messages` support, each at messages that do.

    A point whose words stand elsewhere than it says is moved there; one that shares no content
    word with any message is dropped. Where that is so of all, words prove nothing, as with a
    summary in another language than the messages: then they are left as they are.
    """
    said = {one.sequence_number: find_content(one.content) for one in messages}
    placed = [_place(point, said) for point in points]
    return tuple(point for point in placed if point is not None) or tuple(points)


def drop_repeats(new: Sequence[Point], known: Sequence[Point]) -> list[Point]:
    """The points of `new` that say something which neither `known` nor an earlier one says."""
    kept: list[Point] = []
    for point in new:
        if not any(says_the_same(point, other) for other in (*known, *kept)):
            kept.append(point)
    return kept


def says_the_same(point: Point, other: Point) -> bool:
    """Whether `point` adds nothing to `other`. With another number it always does."""
    one, two = find_words(point.text), find_words(other.text)
    if not numbers(one) <= numbers(two):
        return False
    held = sum(weight for word, weight in one.items() if word in two)
    return overlap(one, two) >= SAME or held >= HELD * sum(one.values())


def cap_points(points: Sequence[Point], read: int) -> list[Point]:
    """No more than there were messages, and few that begin with the same one."""
    most = max(FEWEST_AT_MOST, read)
    begun: dict[int, int] = {}
    kept: list[Point] = []
    for point in points:
        begun[point.first] = begun.get(point.first, 0) + 1
        if begun[point.first] <= MOST_OF_ONE_MESSAGE:
            kept.append(point)
    return kept[:most]


def _place(point: Point, said: Mapping[int, set[str]]) -> Point | None:
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
    """The share of `words` that the messages from `first` to `last` hold."""
    held = {word for at in said if first <= at <= last for word in words & said[at]}
    return len(held) / len(words) if words else 0.0
