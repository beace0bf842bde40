"""The rolling summary's arithmetic: when it is due, what it covers, what the gap is."""

from __future__ import annotations

from shared.models import Point, Span


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

    New points are held to what they were made from: their sequence numbers are clamped to
    `covered`, whatever the model wrote.
    """
    kept = slide(base, span.start)
    if covered is None:
        return kept
    held = (_clamp(point, covered) for point in new)
    return kept + tuple(sorted(held, key=lambda point: (point.first, point.last)))


def render_points(points: tuple[Point, ...]) -> str:
    """`memory_text`: one line a point."""
    return "\n".join(f"- [{point.first}-{point.last}] {point.text}" for point in points)


def _clamp(point: Point, span: Span) -> Point:
    first = min(max(point.first, span.start), span.end)
    last = min(max(point.last, first), span.end)
    return Point(text=point.text, first=first, last=last)
