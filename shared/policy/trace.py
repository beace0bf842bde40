"""Summarise the trace of a reply: how much memory it was given."""

from __future__ import annotations

from typing import Any

Trace = dict[str, Any]


def count_remembered(trace: Trace | None) -> dict[str, int] | None:
    """How many facts, episodes, messages, passages and points were given, and how many were cut.

    None: no memory was found. Turns of the same conversation do not count as memory.
    """
    if not trace or "cut" not in trace:
        return None
    points = trace["summary"]["points"] if trace["summary"] else 0
    cut = trace["cut"]
    counts = {
        "facts": len(trace["facts"]),
        "episodes": len(trace["episodes"]),
        "messages": len(trace.get("messages", [])),  # older traces lack this key and the next
        "passages": len(trace.get("passages", [])),
        "points": points,
        "cut": cut["facts"]
        + cut["episodes"]
        + cut["points"]
        + cut.get("messages", 0)
        + cut.get("passages", 0),
    }
    return counts if any(counts.values()) else None
