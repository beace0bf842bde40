"""Writing one reply: recall, the model's stream, and what comes of it as an `Outcome`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime

from shared.agents import get_agent
from shared.guard import note_failure
from shared.llm import (
    ChatMessage,
    Completion,
    ModelRequest,
    count_tokens,
    input_limit,
    open_stream,
)
from shared.models import OpenRound, Outcome
from shared.policy.budget import Room, room_for
from shared.policy.continuing import Joint, turns_to_continue
from shared.policy.prompt import (
    Prompt,
    PromptRole,
    Recalled,
    build_prompt,
    without_more_and_more,
)
from shared.policy.text import storable
from shared.rounds import endings
from shared.rounds.faults import explain
from shared.rounds.live import LiveReply
from shared.rounds.reply_log import ReplyLog
from shared.settings import Settings
from shared.steps import Steps

JOIN_S = 0.03  # pieces are joined over this long before they go to Redis
STOP_LOOK_S = 0.5  # how often a silent stream looks for a stop flag set elsewhere

Recall = Callable[[OpenRound, Steps, Room], Recalled]


def write_reply(
    opened: OpenRound, live: LiveReply, log: ReplyLog, recall: Recall, settings: Settings
) -> Outcome:
    """Never raises: every fault becomes an outcome that keeps what was written."""
    steps = Steps()
    model = settings.llm_model
    before = opened.kept.trace if opened.kept else None
    trace: dict[str, object] = {**(before or {}), "steps_ms": steps.taken_ms}
    try:
        prompt = _prompt(opened, recall, settings, steps)
        trace |= prompt.trace
        with steps.step("model"):
            completion = _stream(prompt, live, log, settings, steps)
    except Exception as exc:
        return endings.broken_off(model, live.text, explain(exc, opened, settings), trace)
    if completion is not None:
        return endings.written(completion, live.text, trace)
    if live.is_interrupted:
        return endings.broken_off(model, live.text, endings.INTERRUPTED, trace)
    return endings.stopped(model, live.text, trace)


def _prompt(opened: OpenRound, recall: Recall, settings: Settings, steps: Steps) -> Prompt:
    agent_prompt = get_agent(opened.conversation.agent).prompt
    current = opened.user_message.content
    count = count_tokens(settings.llm_model)
    goes_on = _turns_to_continue(opened, settings.ctx_tokens // 2, count)
    taken = sum(count(text) for _, text in goes_on)
    room = _room(settings, count(agent_prompt) + count(current)).without(taken)
    with steps.step("recall"):
        recalled = recall(opened, steps, room)

    def build(given: Recalled) -> Prompt:
        prompt = build_prompt(
            agent_prompt=agent_prompt,
            now=datetime.now(UTC),
            recalled=given,
            current=current,
            room=room,
            count_tokens=count,
        )
        return replace(prompt, messages=(*prompt.messages, *goes_on))

    with steps.step("prompt"):
        return _build_at_last(build, recalled)


def _build_at_last(build: Callable[[Recalled], Prompt], recalled: Recalled) -> Prompt:
    """With less and less of what was recalled, when it cannot be put into words."""
    for given in without_more_and_more(recalled):
        try:
            return build(given)
        except Exception as exc:
            note_failure("prompt", exc)
    return build(Recalled(failed=("prompt",)))


def _turns_to_continue(
    opened: OpenRound, most_tokens: int, count: Callable[[str], int]
) -> tuple[tuple[PromptRole, str], ...]:
    if opened.kept is None:
        return ()
    return turns_to_continue(opened.kept.content, most_tokens, count)


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
    """None when somebody said stop. A reply that is being continued has its text already."""
    request = ModelRequest(
        model=settings.llm_model,
        messages=tuple(ChatMessage(role=role, content=text) for role, text in prompt.messages),
        purpose="reply",
        max_tokens=settings.llm_max_tokens,
    )
    stream = open_stream(request, settings)
    pieces = _join(stream, live.text) if live.text else stream
    try:
        _pass_on(pieces, live, log, steps)
    finally:
        stream.close()
    return None if live.stop_asked.is_set() else stream.completion


def _join(pieces: Iterable[str | None], kept: str) -> Iterator[str | None]:
    """What is new in a continuation; None, as the stream's own, while nothing is."""
    joint = Joint(kept)
    for piece in pieces:
        yield joint.take(piece) if piece else None
    yield joint.end()


def _pass_on(pieces: Iterable[str | None], live: LiveReply, log: ReplyLog, steps: Steps) -> None:
    """To readers here at once, to Redis joined; ends when the model does or somebody says stop."""
    began = looked = time.monotonic()
    for piece in pieces:
        now = time.monotonic()
        if piece:
            if "first_token" not in steps.taken_ms:
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
