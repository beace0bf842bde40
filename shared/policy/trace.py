"""The trace of a reply: what its prompt was given, by ids, and how much of it there was."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from shared.models import Episode, Quote
from shared.models.attachments import FilePassage
from shared.policy.budget import Allotment, Room
from shared.policy.recalled import Recalled
from shared.policy.verbatim import Verbatim

Trace = dict[str, Any]


def is_refusal(trace: Trace | None) -> bool:
    """Whether the reply is the model's refusal."""
    return bool((trace or {}).get("refuses"))


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


def describe_prompt(
    recalled: Recalled, memory: Recalled, allotment: Allotment, room: Room
) -> dict[str, object]:
    """What was given and what was cut.

    A later prompt of the conversation begins at `verbatim`, with the same episodes in its front.
    """
    verbatim, gap = memory.verbatim, memory.verbatim.left_out
    return {
        "facts": [{"fact_id": fact.fact_id} for fact in memory.facts],
        "episodes": [_episode_trace(episode, memory.standing) for episode in memory.episodes],
        "messages": [_quote_trace(quote) for quote in memory.quotes],
        "passages": [_passage_trace(passage) for passage in memory.passages],
        "summary": {"memory_id": recalled.memory_id, "points": len(memory.points)}
        if recalled.memory_id is not None
        else None,
        "verbatim": _verbatim_trace(verbatim),
        "corrected": list(recalled.corrected),
        "failed": list(recalled.failed),
        "cut": {
            "facts": len(recalled.facts) - len(memory.facts),
            "episodes": len(recalled.episodes) - len(memory.episodes),
            "messages": len(recalled.quotes) - len(memory.quotes),
            "passages": len(recalled.passages) - len(memory.passages),
            "points": len(recalled.points) - len(memory.points),
            "gap": {"start": gap.start, "end": gap.end} if gap else None,
        },
        "tokens": {"given": allotment.tokens + verbatim.tokens, "budget": room.tokens},
    }


def _verbatim_trace(verbatim: Verbatim) -> dict[str, object] | None:
    if not verbatim.turns:
        return None
    return {
        "start": verbatim.turns[0].seq,
        "end": verbatim.turns[-1].seq,
        "shortened": list(verbatim.shortened),
    }


def _episode_trace(episode: Episode, standing: Set[int]) -> dict[str, object]:
    """`stands`: in the front, where the next prompt has it, too."""
    mark = {"stands": True} if episode.episode_id in standing else {}
    return mark | {
        "episode_id": episode.episode_id,
        "conversation_id": episode.conversation_id,
        "start": episode.span.start,
        "end": episode.span.end,
    }


def _quote_trace(quote: Quote) -> dict[str, object]:
    """`start`: of a message that was cut, unless its beginning was given."""
    mark = {"start": quote.start} if quote.start else {}
    return mark | {
        "conversation_id": quote.conversation_id,
        "sequence": quote.sequence_number,
        "score": round(quote.score, 3),
    }


def _passage_trace(passage: FilePassage) -> dict[str, object]:
    return {
        "attachment_id": passage.attachment_id,
        "number": passage.number,
        "score": round(passage.score, 3),
    }
