"""The prompts of one reply: the first prompt, and shorter ones if the model refuses it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from shared.agents import get_agent
from shared.ephemeral.admission import WaitingRounds
from shared.guard import note_failure
from shared.llm import ModelRequest, context_of, count_tokens, longest_answer
from shared.models import OpenRound, UserId
from shared.models.attachments import AttachedFile
from shared.policy.budget import TURNS_SHARE, Room, room_for
from shared.policy.clients.client_prompt import build_client_prompt
from shared.policy.continuation import turns_to_continue
from shared.policy.prompt import Frame, Prompt, build_prompt
from shared.policy.recalled import Recalled, fallbacks_of
from shared.policy.shortening import CountTokens
from shared.rounds.queue import Ticket
from shared.rounds.round_files import Files, files_of, messages_of, trace_files
from shared.settings import Settings
from shared.time_zones import zone_of
from shared.timing import Steps

Recall = Callable[[OpenRound, Steps, Room], Recalled]
# Fields by which a client limits an answer itself.
CLIENT_LIMITS = frozenset({"max_tokens", "max_completion_tokens"})


@dataclass(frozen=True)
class Means:
    """The settings and functions with which one reply is written."""

    ticket: Ticket
    #: It answers, or is tried before the site's fallbacks.
    model: str
    #: The rounds that this model answers: jobs leave it to them.
    waiting_rounds: WaitingRounds
    recall: Recall
    #: The files of the message and of those before it, as this model takes them.
    read_files: Callable[[OpenRound, str], Sequence[AttachedFile]]
    settings: Settings
    #: Whether a user is told everything that a provider says.
    is_operator: Callable[[UserId], bool]


@dataclass(frozen=True, kw_only=True)
class PromptBuilder:
    """Builds prompts from one recall. `room` is the room of the largest prompt."""

    chat_round: OpenRound
    recalled: Recalled
    room: Room
    #: The room of a prompt of this model, as far as its limit is known when it is called.
    find_room: Callable[[], Room]
    settings: Settings
    files: Files

    def smaller_room(self, refused: Room) -> Room:
        """The room of a prompt after a refused one: what the refusal has taught, or half of it."""
        learned = self.find_room()
        return learned if learned.tokens < refused.tokens else refused.halved()

    def build(self, room: Room) -> Prompt:
        """Build a prompt. If rendering fails, parts of memory are left out."""
        for recalled in fallbacks_of(self.recalled):
            try:
                return self._build(recalled, room)
            except Exception as exc:
                note_failure("prompt", exc)
        return self._build(Recalled(failed=("prompt",)), room)

    def request_of(self, prompt: Prompt) -> ModelRequest:
        client = self.chat_round.client
        options = client.options if client else {}
        has_limit = not options.keys().isdisjoint(CLIENT_LIMITS)
        model = model_of(self.chat_round, self.settings)
        return ModelRequest(
            model=model,
            messages=messages_of(prompt),
            purpose="reply",
            max_tokens=None if has_limit else longest_answer(model, self.settings),
            raw_messages=prompt.raw,
            options=options,
        )

    def _build(self, recalled: Recalled, room: Room) -> Prompt:
        count = count_tokens(model_of(self.chat_round, self.settings))
        now = datetime.now(zone_of(self.chat_round.time_zone))
        if self.chat_round.client is not None:
            return build_client_prompt(self.chat_round.client, now, recalled, room, count)
        fitted = self.files.fit(room.tokens / max(1, self.room.tokens), count)
        reply = self.chat_round.former_reply
        to_continue = turns_to_continue(reply.content, room.tokens // 2, count) if reply else ()
        frame = Frame(
            agent_prompt=_instructions_of(self.chat_round),
            now=now,
            current=self.files.render(fitted) + self.chat_round.user_message.content,
            is_withheld=self.chat_round.user_message.withheld_at is not None,
        )
        left = room.without(sum(count(text) for _, text in to_continue))
        prompt = build_prompt(frame, recalled, left, count)
        whole = replace(prompt, messages=(*prompt.messages, *to_continue))
        return trace_files(whole, fitted)


def recall_for_prompts(chat_round: OpenRound, means: Means, steps: Steps) -> PromptBuilder:
    """Recall for the largest prompt that the settings and the model allow."""
    settings = means.settings
    model = means.model
    count = count_tokens(model)
    attached_files, failed = _read_files(chat_round, means)
    fixed_tokens = _count_fixed(chat_round, count)
    ctx_tokens = settings.ctx_tokens
    if chat_round.client is not None:  # the turns that it sends take the place of ours
        ctx_tokens = max(ctx_tokens - fixed_tokens, int(ctx_tokens * (1 - TURNS_SHARE)))

    def find_room() -> Room:
        limit = context_of(model, settings)
        files = files_of(attached_files, chat_round, limit)
        return room_for(
            ctx_tokens=ctx_tokens,
            recent_tokens=settings.recent_tokens,
            limit=limit,
            answer=longest_answer(model, settings),
            fixed=fixed_tokens + sum(file.tokens for file in files.fit(1, count)),
        )

    room = find_room()
    with steps.step("recall"):
        recalled = means.recall(chat_round, steps, room)
    recalled = replace(recalled, failed=(*failed, *recalled.failed))
    return PromptBuilder(
        chat_round=chat_round,
        recalled=recalled,
        room=room,
        find_room=find_room,
        settings=settings,
        files=files_of(attached_files, chat_round, context_of(model, settings)),
    )


def _read_files(
    chat_round: OpenRound, means: Means
) -> tuple[Sequence[AttachedFile], tuple[str, ...]]:
    """Read the files. Returns them and the failed steps: without files the round goes on."""
    try:
        return means.read_files(chat_round, means.model), ()
    except Exception as exc:
        note_failure("files", exc)
        return (), ("files",)


def model_of(chat_round: OpenRound, settings: Settings) -> str:
    """The model that answers: the choice of the client or the conversation, else the site's.

    The site's model also answers if the conversation's choice is no longer offered.
    """
    if chat_round.client is not None:
        return chat_round.client.model
    return settings.chosen_model(chat_round.conversation.model)


def _count_fixed(chat_round: OpenRound, count: CountTokens) -> int:
    """Count the tokens of all parts of a prompt but memory and turns."""
    if chat_round.client is not None:
        return count(json.dumps(chat_round.client.messages, ensure_ascii=False))
    return count(_instructions_of(chat_round)) + count(chat_round.user_message.content)


def _instructions_of(chat_round: OpenRound) -> str:
    """The instructions of the persona, or else of the agent, and those of the project."""
    answerer = chat_round.instructions or get_agent(chat_round.conversation.agent).prompt
    parts = (answerer.strip(), chat_round.project_instructions)
    return "\n\n".join(part for part in parts if part)
