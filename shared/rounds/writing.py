"""Writing one reply: recall, the model's stream, and what comes of it as an `Outcome`."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime

from shared.agents import get_agent
from shared.errors import ThroughlineError
from shared.llm import (
    ChatMessage,
    Completion,
    ModelRequest,
    count_tokens,
    input_limit,
    open_stream,
    provider_of,
)
from shared.models import MessageStatus, OpenRound, Outcome
from shared.policy.budget import Room, room_for
from shared.policy.prompt import Prompt, Recalled, build_prompt
from shared.policy.text import storable
from shared.rounds.live import LiveReply
from shared.rounds.reply_log import ReplyLog
from shared.settings import Settings
from shared.steps import Steps

logger = logging.getLogger(__name__)

JOIN_S = 0.03  # pieces are joined over this long before they go to Redis
STOP_LOOK_S = 0.5  # how often a silent stream looks for a stop flag set elsewhere

Recall = Callable[[OpenRound, Steps, Room], Recalled]


def write_reply(
    opened: OpenRound, live: LiveReply, log: ReplyLog, recall: Recall, settings: Settings
) -> Outcome:
    """Never raises: every fault becomes an outcome that keeps what was written."""
    steps = Steps()
    model = settings.llm_model
    asked = Outcome(status="failed", content="", model=model, provider=provider_of(model))
    trace: dict[str, object] = {"steps_ms": steps.taken_ms}
    try:
        prompt = _prompt(opened, recall, settings, steps)
        trace |= prompt.trace
        with steps.step("model"):
            completion = _stream(prompt, live, log, settings, steps)
    except Exception as exc:
        error, code = _explain(exc, opened)
        status: MessageStatus = "partial" if live.text else "failed"
        return replace(
            asked, status=status, content=live.text, error=error, error_code=code, trace=trace
        )
    if completion is None:
        return replace(asked, status="partial", content=live.text, trace=trace)
    return Outcome(
        status="complete",
        content=live.text,
        model=completion.model,
        provider=completion.provider,
        tokens_in=completion.tokens_in,
        tokens_out=completion.tokens_out,
        trace=trace,
    )


def _prompt(opened: OpenRound, recall: Recall, settings: Settings, steps: Steps) -> Prompt:
    agent_prompt = get_agent(opened.conversation.agent).prompt
    current = opened.user_message.content
    count = count_tokens(settings.llm_model)
    room = _room(settings, count(agent_prompt) + count(current))
    with steps.step("recall"):
        recalled = recall(opened, steps, room)
    with steps.step("prompt"):
        return build_prompt(
            agent_prompt=agent_prompt,
            now=datetime.now(UTC),
            recalled=recalled,
            current=current,
            room=room,
            count_tokens=count,
        )


def _room(settings: Settings, fixed: int) -> Room:
    """Never above what the model takes, with room for the answer."""
    return room_for(
        ctx_tokens=settings.ctx_tokens,
        recent_tokens=settings.recent_tokens,
        limit=input_limit(settings.llm_model),
        answer=settings.llm_max_tokens,
        fixed=fixed,
    )


def _stream(
    prompt: Prompt, live: LiveReply, log: ReplyLog, settings: Settings, steps: Steps
) -> Completion | None:
    """None when somebody said stop."""
    request = ModelRequest(
        model=settings.llm_model,
        messages=tuple(ChatMessage(role=role, content=text) for role, text in prompt.messages),
        purpose="reply",
        max_tokens=settings.llm_max_tokens,
    )
    stream = open_stream(request, settings)
    try:
        _pass_on(stream, live, log, steps)
    finally:
        stream.close()
    return None if live.stop_asked.is_set() else stream.completion


def _pass_on(pieces: Iterable[str | None], live: LiveReply, log: ReplyLog, steps: Steps) -> None:
    """To readers here at once, to Redis joined; ends when the model does or somebody says stop."""
    began = looked = time.monotonic()
    for piece in pieces:
        now = time.monotonic()
        if piece:
            if not live.text:
                steps.taken_ms["first_token"] = round((now - began) * 1000, 2)
            live.append(storable(piece))
        behind = len(live.text) > log.written
        if now - looked >= (JOIN_S if behind else STOP_LOOK_S):
            looked = now
            if _bring_up(log, live, behind):
                live.stop_asked.set()
        if live.stop_asked.is_set():
            break
    if len(live.text) > log.written:
        log.catch_up(live.fencing_token, live.text)


def _bring_up(log: ReplyLog, live: LiveReply, behind: bool) -> bool:
    """Write what is new, or only look whether somebody has asked to stop."""
    if behind:
        return log.catch_up(live.fencing_token, live.text)
    return log.stop_asked(live.fencing_token)


def _explain(exc: Exception, opened: OpenRound) -> tuple[str, str]:
    """The sentence and the code for a person; what was not foreseen goes to the log."""
    if isinstance(exc, ThroughlineError):
        return exc.message, exc.code
    logger.error(
        "round.crashed",
        exc_info=exc,
        extra={"conversation_id": opened.conversation.conversation_id, "sequence": opened.sequence},
    )
    return "Something went wrong while the reply was being written.", "internal"
