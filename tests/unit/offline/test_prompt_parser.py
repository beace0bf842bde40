from __future__ import annotations

from datetime import UTC, datetime

from shared.models import ConversationId, Episode, Fact, Point, Span
from shared.offline.prompt_parser import MemoryItem, read_memory
from shared.policy.memory_block import render_memory
from shared.policy.recalled import Recalled


def test_the_block_is_read_as_the_prompt_writes_it() -> None:
    at = datetime(2026, 11, 2, tzinfo=UTC)
    fact = Fact(
        fact_id=1,
        category="identity",
        key="name",
        value="Al = <Alex>",
        confidence=1,
        importance=1,
        is_active=True,
        source_conversation_id=None,
        source_sequence=None,
        confirmed_at_turn=0,
        valid_from=at,
        valid_to=None,
        superseded_by=None,
    )
    episode = Episode(
        episode_id=1,
        conversation_id=ConversationId("c"),
        span=Span(start=0, end=9),
        summary="A trip: to Oslo.",
        key_concepts=(),
        started_at=at,
        ended_at=at,
        embedding_model=None,
        created_at=at,
    )
    point = Point(text="User: Salt & <pepper>.", first=0, last=1)
    block = render_memory(Recalled(facts=[fact], episodes=[episode], points=[point]))

    assert read_memory([{"role": "system", "content": block}]) == [
        MemoryItem(kind="fact", category="identity", key="name", text="Al = <Alex>"),
        MemoryItem(kind="earlier", text="A trip: to Oslo.", date="2026-11-02"),
        MemoryItem(kind="here", text="Salt & <pepper>."),
    ]
