"""What the prompts of one reply are made of: the first one, and shorter ones if it is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from shared.agents import get_agent
from shared.guard import note_failure
from shared.llm import count_tokens, input_limit
from shared.models import OpenRound
from shared.policy.budget import Room, room_for
from shared.policy.continuing import turns_to_continue
from shared.policy.prompt import (
    Prompt,
    PromptRole,
    Recalled,
    build_prompt,
    without_more_and_more,
)
from shared.settings import Settings
from shared.steps import Steps
from shared.time_zones import zone_of

Recall = Callable[[OpenRound, Steps, Room], Recalled]


@dataclass(frozen=True, kw_only=True)
class Material:
    """`room` is all that a prompt may use."""

    opened: OpenRound
    recalled: Recalled
    room: Room
    settings: Settings

    def prompt(self, room: Room) -> Prompt:
        """With less and less of what was recalled, when it cannot be put into words."""
        for given in without_more_and_more(self.recalled):
            try:
                return self._build(given, room)
            except Exception as exc:
                note_failure("prompt", exc)
        return self._build(Recalled(failed=("prompt",)), room)

    def _build(self, given: Recalled, room: Room) -> Prompt:
        count = count_tokens(self.settings.llm_model)
        goes_on = self._turns_to_continue(room.tokens // 2, count)
        prompt = build_prompt(
            agent_prompt=get_agent(self.opened.conversation.agent).prompt,
            now=datetime.now(zone_of(self.opened.time_zone)),
            recalled=given,
            current=self.opened.user_message.content,
            room=room.without(sum(count(text) for _, text in goes_on)),
            count_tokens=count,
        )
        return replace(prompt, messages=(*prompt.messages, *goes_on))

    def _turns_to_continue(
        self, most_tokens: int, count: Callable[[str], int]
    ) -> tuple[tuple[PromptRole, str], ...]:
        kept = self.opened.kept
        return turns_to_continue(kept.content, most_tokens, count) if kept else ()


def gather(opened: OpenRound, recall: Recall, settings: Settings, steps: Steps) -> Material:
    """Recall what fits into the largest prompt that the settings and the model allow."""
    count = count_tokens(settings.llm_model)
    agent_prompt = get_agent(opened.conversation.agent).prompt
    room = room_for(
        ctx_tokens=settings.ctx_tokens,
        recent_tokens=settings.recent_tokens,
        limit=input_limit(settings.llm_model),
        answer=settings.llm_max_tokens,
        fixed=count(agent_prompt) + count(opened.user_message.content),
    )
    with steps.step("recall"):
        recalled = recall(opened, steps, room)
    return Material(opened=opened, recalled=recalled, room=room, settings=settings)
