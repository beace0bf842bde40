"""Events: what happened in a user's memory. Their data has ids and numbers, and no text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from shared.models.conversations import Span
from shared.models.ids import ConversationId
from shared.models.job_kinds import Kind
from shared.models.memory import Fact, Suggestion

#: What a webhook may be told of.
SubscribableType = Literal[
    "fact.learned",
    "fact.replaced",
    "fact.suggested",
    "episode.closed",
    "job.failed",
    "reply.changed",
    "conversation.branched",
]
EventType = Literal[SubscribableType, "webhook.test"]


@dataclass(frozen=True, kw_only=True)
class NewEvent:
    """An event that is still to be written."""

    type: EventType
    data: Mapping[str, object]


@dataclass(frozen=True, kw_only=True)
class Event:
    """A row of `events`."""

    #: Among the events of one user, a larger id was committed later.
    event_id: int
    type: EventType
    data: Mapping[str, object]
    occurred_at: datetime


def fact_learned(fact: Fact) -> NewEvent:
    return NewEvent(type="fact.learned", data=_fact_ids(fact))


def fact_replaced(fact: Fact, replaced: Fact) -> NewEvent:
    """`fact` is current now, in place of `replaced`."""
    data = _fact_ids(fact) | {"replaced_fact_id": replaced.fact_id}
    return NewEvent(type="fact.replaced", data=data)


def fact_suggested(suggestion: Suggestion) -> NewEvent:
    """A fact waits for the user's word."""
    data = {
        "suggestion_id": suggestion.suggestion_id,
        "conversation_id": suggestion.source_conversation_id,
        "sequence": suggestion.source_sequence,
    }
    return NewEvent(type="fact.suggested", data=data)


def episode_closed(episode_id: int, conversation_id: ConversationId, span: Span) -> NewEvent:
    return NewEvent(
        type="episode.closed",
        data={
            "episode_id": episode_id,
            "conversation_id": conversation_id,
            "start": span.start,
            "end": span.end,
        },
    )


def job_failed(kind: Kind, job_id: int, conversation_id: ConversationId) -> NewEvent:
    """A job that failed for good."""
    return NewEvent(
        type="job.failed",
        data={"kind": kind, "job_id": job_id, "conversation_id": conversation_id},
    )


def conversation_branched(
    branch: ConversationId, source: ConversationId, sequence: int
) -> NewEvent:
    """Message `sequence` of `source` was edited as a branch."""
    data = {"conversation_id": branch, "branched_from": source, "sequence": sequence}
    return NewEvent(type="conversation.branched", data=data)


def reply_changed(conversation_id: ConversationId, sequence: int) -> NewEvent:
    """Another variant was chosen, or the user has rated the reply."""
    return NewEvent(
        type="reply.changed", data={"conversation_id": conversation_id, "sequence": sequence}
    )


def _fact_ids(fact: Fact) -> dict[str, object]:
    """The fact and the message that it comes from, which is None if the user entered it."""
    return {
        "fact_id": fact.fact_id,
        "conversation_id": fact.source_conversation_id,
        "sequence": fact.source_sequence,
    }
