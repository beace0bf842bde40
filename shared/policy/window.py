"""The rolling summary: when it is due, what it covers, and the gap after it."""

from __future__ import annotations

from shared.models import Point, Span
from shared.policy.points import cap_points, drop_repeats

# After a summary that took `SLOW_MS` or more, the next one waits while the conversation goes on and
# prompts contain all turns since: a slow model has more urgent work. It waits until nobody has
# written for `PAUSE_FACTOR` times as long as the last one took, or for `LONGEST_WAIT_S`.
SLOW_MS = 5000
PAUSE_FACTOR = 3
LONGEST_WAIT_S = 300


def summary_due(last_saved: int, summarize_after: int) -> bool:
    """Whether a summary is due once `last_saved` is the newest sequence number."""
    return last_saved >= summarize_after


def summary_span(last_saved: int, window: int) -> Span:
    """The newest `window` messages, beginning with a user message (an even number)."""
    start = max(0, last_saved - window + 1)
    return Span(start=start + start % 2, end=last_saved)


def newly_covered(span: Span, base_end: int | None) -> Span | None:
    """The messages of `span` that a new summary must read, since its base does not cover them."""
    start = span.start if base_end is None else max(span.start, base_end + 1)
    return Span(start=start, end=span.end) if start <= span.end else None


def gap_span(summary_end: int | None, current: int) -> Span | None:
    """The messages after the newest summary and before message `current`."""
    start = 0 if summary_end is None else summary_end + 1
    return Span(start=start, end=current - 1) if start < current else None


def slide(points: tuple[Point, ...], start: int) -> tuple[Point, ...]:
    """The points that do not end before the window's `start`."""
    return tuple(point for point in points if point.last >= start)


def merge_points(
    base: tuple[Point, ...], new: tuple[Point, ...], span: Span, covered: Span | None
) -> tuple[Point, ...]:
    """The base's points that still lie in the window `span`, then the new ones.

    New points come from the messages `covered`. If the model cites others, a point entirely
    outside `covered` is dropped, and a point partly outside is clamped. Repetitions are dropped,
    and the number of new points is bounded (`points.py`).
    """
    base_points = slide(base, span.start)
    if covered is None:
        return base_points
    inside = [_clamp(point, covered) for point in new if _touches(point, covered)]
    distinct = drop_repeats(inside, base_points)
    read = covered.end - covered.start + 1
    ordered = sorted(distinct, key=lambda point: (point.first, point.last))
    return base_points + tuple(cap_points(ordered, read))


def render_points(points: tuple[Point, ...]) -> str:
    """The text for the column `memory_text`: one line per point."""
    return "\n".join(f"- [{point.first}-{point.last}] {point.text}" for point in points)


def _touches(point: Point, span: Span) -> bool:
    return point.first <= span.end and point.last >= span.start


def _clamp(point: Point, span: Span) -> Point:
    first = min(max(point.first, span.start), span.end)
    last = max(first, min(point.last, span.end))
    return Point(text=point.text, first=first, last=last)
