"""A reply's trace in brief: how much it was given of what is remembered."""

from __future__ import annotations

from typing import Any

Trace = dict[str, Any]


def count_remembered(trace: Trace | None) -> dict[str, int] | None:
    """Facts, episodes, messages and summary points that were given, and how many were cut.

    None: nothing was. Turns do not count: to be given what was just said is no memory.
    """
    if not trace or "cut" not in trace:
        return None
    points = trace["summary"]["points"] if trace["summary"] else 0
    cut = trace["cut"]
    counts = {
        "facts": len(trace["facts"]),
        "episodes": len(trace["episodes"]),
        "messages": len(trace.get("messages", [])),  # older traces have none
        "points": points,
        "cut": cut["facts"] + cut["episodes"] + cut["points"] + cut.get("messages", 0),
    }
    return counts if any(counts.values()) else None
