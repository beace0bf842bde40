"""The prompts of one reply: the first prompt, and shorter ones if the model refuses it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from shared.agents import get_agent
from shared.guard import note_failure
from shared.llm import count_tokens, input_limit
from shared.models import OpenRound
from shared.policy.budget import Room, room_for
from shared.policy.continuation import turns_to_continue
from shared.policy.prompt import Frame, Prompt, Recalled, build_prompt, fallbacks_of
from shared.settings import Settings
from shared.time_zones import zone_of
from shared.timing import Steps

Recall = Callable[[OpenRound, Steps, Room], Recalled]


@dataclass(frozen=True, kw_only=True)
class PromptBuilder:
    """Builds prompts from one recall. `room` is the room of the largest prompt."""

    opened: OpenRound
    recalled: Recalled
    room: Room
    settings: Settings

    def build(self, room: Room) -> Prompt:
        """Build a prompt. If rendering fails, parts of memory are left out."""
        for recalled in fallbacks_of(self.recalled):
            try:
                return self._build(recalled, room)
            except Exception as exc:
                note_failure("prompt", exc)
        return self._build(Recalled(failed=("prompt",)), room)

    def _build(self, recalled: Recalled, room: Room) -> Prompt:
        count = count_tokens(self.settings.llm_model)
        kept = self.opened.kept
        to_continue = turns_to_continue(kept.content, room.tokens // 2, count) if kept else ()
        frame = Frame(
            agent_prompt=get_agent(self.opened.conversation.agent).prompt,
            now=datetime.now(zone_of(self.opened.time_zone)),
            current=self.opened.user_message.content,
        )
        left = room.without(sum(count(text) for _, text in to_continue))
        prompt = build_prompt(frame, recalled, left, count)
        return replace(prompt, messages=(*prompt.messages, *to_continue))


def recall_for_prompts(
    opened: OpenRound, recall: Recall, settings: Settings, steps: Steps
) -> PromptBuilder:
    """Recall for the largest prompt that the settings and the model allow."""
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
    return PromptBuilder(opened=opened, recalled=recalled, room=room, settings=settings)
