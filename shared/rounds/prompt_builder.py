"""The prompts of one reply: the first prompt, and shorter ones if the model refuses it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from shared.agents import get_agent
from shared.guard import note_failure
from shared.llm import ChatMessage, ModelRequest, count_tokens, input_limit
from shared.models import OpenRound
from shared.policy.budget import TURNS_SHARE, Room, room_for
from shared.policy.clients.prompt import build_client_prompt
from shared.policy.continuation import turns_to_continue
from shared.policy.prompt import Frame, Prompt, Recalled, build_prompt, fallbacks_of
from shared.policy.shortening import CountTokens
from shared.settings import Settings
from shared.time_zones import zone_of
from shared.timing import Steps

Recall = Callable[[OpenRound, Steps, Room], Recalled]
# Fields by which a client limits an answer itself.
CLIENT_LIMITS = frozenset({"max_tokens", "max_completion_tokens"})


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

    def request_of(self, prompt: Prompt) -> ModelRequest:
        client = self.opened.client
        options = client.options if client else {}
        has_limit = not options.keys().isdisjoint(CLIENT_LIMITS)
        return ModelRequest(
            model=model_of(self.opened, self.settings),
            messages=tuple(ChatMessage(role=role, content=text) for role, text in prompt.messages),
            purpose="reply",
            max_tokens=None if has_limit else self.settings.llm_max_tokens,
            raw_messages=prompt.raw,
            options=options,
        )

    def _build(self, recalled: Recalled, room: Room) -> Prompt:
        count = count_tokens(model_of(self.opened, self.settings))
        now = datetime.now(zone_of(self.opened.time_zone))
        if self.opened.client is not None:
            return build_client_prompt(self.opened.client, now, recalled, room, count)
        kept = self.opened.kept
        to_continue = turns_to_continue(kept.content, room.tokens // 2, count) if kept else ()
        frame = Frame(
            agent_prompt=get_agent(self.opened.conversation.agent).prompt,
            now=now,
            current=self.opened.user_message.content,
        )
        left = room.without(sum(count(text) for _, text in to_continue))
        prompt = build_prompt(frame, recalled, left, count)
        return replace(prompt, messages=(*prompt.messages, *to_continue))


def recall_for_prompts(
    opened: OpenRound, recall: Recall, settings: Settings, steps: Steps
) -> PromptBuilder:
    """Recall for the largest prompt that the settings and the model allow."""
    model = model_of(opened, settings)
    taken = _count_fixed(opened, count_tokens(model))
    ctx_tokens = settings.ctx_tokens
    if opened.client is not None:  # the turns that it sends take the place of ours
        ctx_tokens = max(ctx_tokens - taken, int(ctx_tokens * (1 - TURNS_SHARE)))
    room = room_for(
        ctx_tokens=ctx_tokens,
        recent_tokens=settings.recent_tokens,
        limit=input_limit(model),
        answer=settings.llm_max_tokens,
        fixed=taken,
    )
    with steps.step("recall"):
        recalled = recall(opened, steps, room)
    return PromptBuilder(opened=opened, recalled=recalled, room=room, settings=settings)


def model_of(opened: OpenRound, settings: Settings) -> str:
    """The model that the client has chosen, or the site's."""
    return opened.client.model if opened.client else settings.llm_model


def _count_fixed(opened: OpenRound, count: CountTokens) -> int:
    """The tokens of what a prompt contains beside memory and turns."""
    if opened.client is not None:
        return count(json.dumps(opened.client.messages, ensure_ascii=False))
    agent_prompt = get_agent(opened.conversation.agent).prompt
    return count(agent_prompt) + count(opened.user_message.content)
