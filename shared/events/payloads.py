"""Events as their receivers see them: `{type, timestamp, data}`.

`data` has ids. Texts are read when the event is sent, so that what was deleted since is not told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shared.db import PgConnection, in_memory
from shared.models import Episode, Event, Fact, Suggestion, UserId
from shared.models.memory_scope import ALL_MEMORIES
from shared.store import episodes
from shared.store.facts import suggestions
from shared.store.facts import versions as fact_versions


@dataclass(frozen=True, kw_only=True)
class Payload:
    """The body of an event for one receiver."""

    event_id: int
    body: Mapping[str, object]

    @property
    def type(self) -> object:
        return self.body["type"]


def write_payloads(
    connection: PgConnection, user_id: UserId, events: Sequence[Event], *, with_text: bool
) -> list[Payload]:
    """Write the body for each event. `with_text` adds its fact, suggestion or episode, or null."""
    if not with_text:
        return [_payload(event, {}) for event in events]
    with in_memory(connection, ALL_MEMORIES):
        facts = _read_facts(connection, user_id, events)
        suggestions_by_id = _read_suggestions(connection, user_id, events)
    closed = _read_episodes(connection, user_id, events)
    return [_payload(event, _texts(event, facts, closed, suggestions_by_id)) for event in events]


def _read_facts(
    connection: PgConnection, user_id: UserId, events: Sequence[Event]
) -> dict[int, Fact]:
    ids = _ids(events, "fact_id") + _ids(events, "replaced_fact_id")
    facts = fact_versions.list_by_ids(connection, user_id, ids) if ids else []
    return {fact.fact_id: fact for fact in facts}


def _read_episodes(
    connection: PgConnection, user_id: UserId, events: Sequence[Event]
) -> dict[int, Episode]:
    ids = _ids(events, "episode_id")
    records = episodes.list_by_ids(connection, user_id, ids) if ids else []
    return {episode.episode_id: episode for episode in records}


def _read_suggestions(
    connection: PgConnection, user_id: UserId, events: Sequence[Event]
) -> dict[int, Suggestion]:
    ids = _ids(events, "suggestion_id")
    records = suggestions.list_by_ids(connection, user_id, ids) if ids else []
    return {suggestion.suggestion_id: suggestion for suggestion in records}


def _payload(event: Event, texts: Mapping[str, object]) -> Payload:
    body = {
        "type": event.type,
        "timestamp": event.occurred_at.isoformat(),
        "data": dict(event.data) | dict(texts),
    }
    return Payload(event_id=event.event_id, body=body)


def _texts(
    event: Event,
    facts: Mapping[int, Fact],
    closed: Mapping[int, Episode],
    suggestions_by_id: Mapping[int, Suggestion],
) -> dict[str, object]:
    data, texts = event.data, dict[str, object]()
    for name, key in (("fact", "fact_id"), ("replaced_fact", "replaced_fact_id")):
        if key in data:
            texts[name] = _fact_json(facts.get(_id(data, key)))
    if "episode_id" in data:
        texts["episode"] = _episode_json(closed.get(_id(data, "episode_id")))
    if "suggestion_id" in data:
        texts["suggestion"] = _fact_json(suggestions_by_id.get(_id(data, "suggestion_id")))
    return texts


def _fact_json(fact: Fact | Suggestion | None) -> dict[str, object] | None:
    """`project` is there for what a project keeps inside."""
    if fact is None:
        return None
    project = {} if fact.project is None else {"project": fact.project}
    return {"category": fact.category, "key": fact.key, "value": fact.value, **project}


def _episode_json(episode: Episode | None) -> dict[str, object] | None:
    if episode is None:
        return None
    return {"summary": episode.summary, "key_concepts": list(episode.key_concepts)}


def _ids(events: Sequence[Event], key: str) -> list[int]:
    return [_id(event.data, key) for event in events if key in event.data]


def _id(data: Mapping[str, object], key: str) -> int:
    return int(str(data[key]))
