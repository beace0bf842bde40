"""Writing one reply: recall, the model's stream, and what comes of it as an `Outcome`."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

from shared.ephemeral.reply_log import ReplyLog
from shared.errors import InputTooLongError, ReplyTooLongError
from shared.llm import ChatMessage, Completion, ModelRequest, open_stream
from shared.models import OpenRound, Outcome
from shared.policy.continuing import Joint
from shared.policy.prompt import Prompt
from shared.policy.text import storable
from shared.rounds import endings
from shared.rounds.faults import explain
from shared.rounds.live_reply import LiveReply
from shared.rounds.material import Material, Recall, gather
from shared.settings import Settings
from shared.steps import Steps

JOIN_S = 0.03  # pieces are joined over this long before they go to Redis
MAX_CHARS = 400_000  # of one reply; a model that ignores its limit of tokens is hung up on
MOST_PROMPTS = 4  # each half as long as the one before, where a model calls one too long
STOP_LOOK_S = 0.5  # how often a silent stream looks for a stop flag set elsewhere


def write_reply(
    opened: OpenRound, live: LiveReply, log: ReplyLog, recall: Recall, settings: Settings
) -> Outcome:
    """Never raises: every fault becomes an outcome that keeps what was written."""
    steps = Steps()
    model = settings.llm_model
    before = opened.kept.trace if opened.kept else None
    trace: dict[str, object] = {**(before or {}), "steps_ms": steps.taken_ms}
    try:
        material = gather(opened, recall, settings, steps)
        with steps.step("model"):
            completion = _ask(material, live, log, trace, steps)
    except ReplyTooLongError:
        return endings.cut(model, live.text, trace)
    except Exception as exc:
        return endings.broken_off(model, live.text, explain(exc, opened, settings), trace)
    if completion is not None:
        return endings.written(completion, live.text, trace)
    if live.is_interrupted:
        return endings.broken_off(model, live.text, endings.INTERRUPTED, trace)
    return endings.stopped(model, live.text, trace)


def _ask(
    material: Material, live: LiveReply, log: ReplyLog, trace: dict[str, object], steps: Steps
) -> Completion | None:
    """The model's answer to the largest prompt that it takes; `trace` tells of that one.

    Of many a server nobody knows how much it takes before it refuses.
    """
    kept, room = live.text, material.room
    for tried in range(1, MOST_PROMPTS + 1):
        with steps.step("prompt"):
            prompt = material.prompt(room)
        trace |= prompt.trace
        try:
            return _stream(prompt, live, log, material.settings, steps)
        except InputTooLongError:
            if tried == MOST_PROMPTS or live.text != kept:
                raise
        room = room.halved()
    raise AssertionError  # the last one was answered or refused


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
        _pass_on(_bounded(pieces, MAX_CHARS - len(live.text)), live, log, steps)
    finally:
        stream.close()
    return None if live.stop_asked.is_set() else stream.completion


def _join(pieces: Iterable[str | None], kept: str) -> Iterator[str | None]:
    """What is new in a continuation; None, as the stream's own, while nothing is."""
    joint = Joint(kept)
    for piece in pieces:
        yield joint.take(piece) if piece else None
    yield joint.end()


def _bounded(pieces: Iterable[str | None], room: int) -> Iterator[str | None]:
    """As it may be stored, and no more than there is room for."""
    for piece in pieces:
        text = storable(piece or "")
        yield text[: max(0, room)] or None
        room -= len(text)
        if room < 0:
            raise ReplyTooLongError


def _pass_on(pieces: Iterable[str | None], live: LiveReply, log: ReplyLog, steps: Steps) -> None:
    """To readers here at once, to Redis joined; ends when the model does or somebody says stop."""
    began = looked = time.monotonic()
    for piece in pieces:
        now = time.monotonic()
        if piece:
            if "first_token" not in steps.taken_ms:
                steps.taken_ms["first_token"] = round((now - began) * 1000, 2)
            live.append(piece)
        behind = len(live.text) > log.written
        if now - looked >= (JOIN_S if behind else STOP_LOOK_S):
            looked = now
            if _bring_up(log, live, behind):
                live.stop_asked.set()
        if live.lease_lost.is_set():
            live.interrupt()
        if live.stop_asked.is_set():
            break
    if len(live.text) > log.written:
        log.catch_up(live.fencing_token, live.text)


def _bring_up(log: ReplyLog, live: LiveReply, behind: bool) -> bool:
    """Write what is new, or only look whether somebody has asked to stop."""
    if behind:
        return log.catch_up(live.fencing_token, live.text)
    return log.stop_asked(live.fencing_token)
