"""What the memory block says of itself: `python -m bench.real_model wording`.

One memory and a few dozen questions: about what is remembered, what was just said, what anybody
knows, what goes beyond the memory's subjects, and what nobody has said. An answer is right if it
contains the expected words, and wrong if it complains of what it was "provided with". Prints the
right answers with and without a reminder, in the system message and before the question.
"""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.real_model.model import real_model_settings
from shared.agents import DEFAULT_AGENT, get_agent
from shared.llm import ChatMessage, ModelRequest, complete, count_tokens
from shared.models import ConversationId, Episode, Fact, Point, Quote, Span, Turn
from shared.policy.budget import Room
from shared.policy.memory_block import render_front
from shared.policy.prompt import Frame, build_prompt
from shared.policy.recalled import Recalled
from shared.policy.verbatim import Verbatim, choose_verbatim
from shared.settings import Settings

DATA = Path(__file__).with_name("wording.json")
NOW = datetime(2026, 11, 22, 10, 0, tzinfo=UTC)
KINDS = ("memory", "turns", "world", "beyond", "unknown")
COMPLAINT = re.compile(
    r"provided (?:with|to|in)|(?:the|your|my) memory (?:block|section)|<memory>|not an? instruction"
    r"|based on the (?:information|memory|data)|information (?:that )?(?:you )?(?:provided|given)",
    re.IGNORECASE,
)
REMINDER = "If the user asks something about themself that you were not told, answer: I don't know."
REMINDERS = {"as it is": "", "as it is, and a reminder after the block": REMINDER}
PLACES = ("system", "question")


@dataclass(frozen=True, kw_only=True)
class Case:
    kind: str
    ask: str
    expects: re.Pattern[str]


def main() -> None:
    settings = real_model_settings()
    if settings is None:
        return
    data = json.loads(DATA.read_text(encoding="utf-8"))
    cases = [Case(kind=k, ask=a, expects=re.compile(e)) for k, a, e in data["cases"]]
    recalled, totals = read_memory(data, settings), Counter(case.kind for case in cases)
    for place, (name, reminder) in itertools.product(PLACES, REMINDERS.items()):
        right = Counter[str]()
        for case in cases:
            answer = ask(settings, recalled, reminder, place, case.ask)
            if case.expects.search(answer) and not COMPLAINT.search(answer):
                right[case.kind] += 1
            else:
                print(f"    {case.ask} → {' '.join(answer.split())[:110]}", flush=True)
        row = ", ".join(f"{kind} {right[kind]}/{totals[kind]}" for kind in KINDS)
        print(f"{name} in the {place}: {right.total()} of {len(cases)} ({row})", flush=True)


def ask(settings: Settings, recalled: Recalled, reminder: str, place: str, question: str) -> str:
    agent_prompt = get_agent(DEFAULT_AGENT).prompt
    frame = Frame(agent_prompt=agent_prompt, now=NOW, current=question)
    prompt = build_prompt(frame, recalled, Room(), count_tokens(settings.llm_model))
    block = render_front(recalled)
    memory_block = f"{block}\n{reminder}".strip()
    (_, system), *turns, (_, current) = prompt.messages
    if place == "system":
        system = system.replace(block, memory_block)
    else:
        system = system.replace(block, "").strip()
        current = f"{memory_block}\n\n{current}"
    request = ModelRequest(
        model=settings.llm_model,
        messages=(
            ChatMessage(role="system", content=system),
            *(ChatMessage(role=role, content=text) for role, text in turns),
            ChatMessage(role="user", content=current),
        ),
        purpose="reply",
        temperature=0.0,
        max_tokens=120,
    )
    return complete(request, settings).text


def read_memory(data: dict[str, Any], settings: Settings) -> Recalled:
    turns = [
        Turn(role=role, content=text, ts=0.0, seq=20 + index)
        for index, (role, text) in enumerate(data["turns"])
    ]
    count = count_tokens(settings.llm_model)
    verbatim: Verbatim = choose_verbatim(reversed(turns), 20, Room(), count)
    return Recalled(
        facts=[_fact(number, *row) for number, row in enumerate(data["facts"])],
        episodes=[_episode(number, *row) for number, row in enumerate(data["episodes"])],
        quotes=[_quote(number, *row) for number, row in enumerate(data["quotes"])],
        memory_id=1,
        summary_end=19,
        points=[Point(text=text, first=0, last=1) for text in data["points"]],
        verbatim=verbatim,
    )


def _fact(number: int, category: Any, key: str, value: str) -> Fact:
    return Fact(
        fact_id=number,
        category=category,
        key=key,
        value=value,
        confidence=1.0,
        importance=0.9,
        is_active=True,
        source_conversation_id=None,
        source_sequence=None,
        confirmed_at_turn=1,
        valid_from=datetime(2026, 9, 1, tzinfo=UTC),
        valid_to=None,
        superseded_by=None,
    )


def _episode(number: int, day: str, summary: str) -> Episode:
    at = datetime.fromisoformat(day).replace(tzinfo=UTC)
    return Episode(
        episode_id=number,
        conversation_id=ConversationId("earlier"),
        span=Span(start=0, end=9),
        summary=summary,
        key_concepts=(),
        started_at=at,
        ended_at=at,
        embedding_model=None,
        created_at=at,
    )


def _quote(number: int, day: str, role: Any, text: str) -> Quote:
    return Quote(
        conversation_id=ConversationId("earlier"),
        sequence_number=number,
        role=role,
        name=None,
        said_at=datetime.fromisoformat(day).replace(tzinfo=UTC),
        text=text,
        score=1.0,
    )
