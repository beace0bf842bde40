"""The rolling summary's arithmetic: when it is due, what it covers, what the gap is."""

from __future__ import annotations

from shared.models import Point, Span
from shared.policy.points import cap_points, drop_repeats


def summary_due(last_saved: int, summarize_after: int) -> bool:
    """Whether a summary is due once `last_saved` is the newest sequence number."""
    return last_saved >= summarize_after


def summary_span(last_saved: int, window: int) -> Span:
    """The newest `window` messages, beginning with a user message (an even number)."""
    start = max(0, last_saved - window + 1)
    return Span(start=start + start % 2, end=last_saved)


def newly_covered(span: Span, base_end: int | None) -> Span | None:
    """What a summary of `span` must still read: nothing its base has read or the window drops."""
    start = span.start if base_end is None else max(span.start, base_end + 1)
    return Span(start=start, end=span.end) if start <= span.end else None


def gap_span(summary_end: int | None, current: int) -> Span | None:
    """The messages after the newest summary and before the `current` one."""
    start = 0 if summary_end is None else summary_end + 1
    return Span(start=start, end=current - 1) if start < current else None


def slide(points: tuple[Point, ...], start: int) -> tuple[Point, ...]:
    """Drop every point that ends before the window's `start`."""
    return tuple(point for point in points if point.last >= start)


def merge_points(
    base: tuple[Point, ...], new: tuple[Point, ...], span: Span, covered: Span | None
) -> tuple[Point, ...]:
    """The base's points that the window still holds, then the new ones.

    New points are held to what they were made from, whatever the model wrote: one that lies
    outside `covered` is an old one repeated and is dropped, one that reaches out of it is
    clamped, and so are their number and what they say again.
    """
    kept = slide(base, span.start)
    if covered is None:
        return kept
    inside = [_clamp(point, covered) for point in new if _touches(point, covered)]
    distinct = drop_repeats(inside, kept)
    read = covered.end - covered.start + 1
    ordered = sorted(distinct, key=lambda point: (point.first, point.last))
    return kept + tuple(cap_points(ordered, read))


def render_points(points: tuple[Point, ...]) -> str:
    """`memory_text`: one line a point."""
    return "\n".join(f"- [{point.first}-{point.last}] {point.text}" for point in points)


def _touches(point: Point, span: Span) -> bool:
    return point.first <= span.end and point.last >= span.start


def _clamp(point: Point, span: Span) -> Point:
    first = min(max(point.first, span.start), span.end)
    last = max(first, min(point.last, span.end))
    return Point(text=point.text, first=first, last=last)
