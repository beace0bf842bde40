"""Let a server read a long prompt step by step, so that no reply waits long behind it.

A server that reads a prompt does not notice that its caller hung up before all is read, which a
small one needs a minute for. So each step asks about a longer beginning, and throws the answer, one
token, away. Servers keep what they have read of a prompt.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from shared.errors import InterruptedWorkError, ModelUnavailableError, ThroughlineError
from shared.llm.pace import LEAST_STEP_BYTES, Pace, pace_of
from shared.llm.provider_call import stream_answer
from shared.llm.request import ChatMessage, Completion, ModelRequest
from shared.llm.retries import Items, read_once
from shared.llm.targets import list_targets, server_of
from shared.settings import Settings

KNOWN = 0.5  # of the usual time: a server that answers sooner has read the text before


def complete_in_steps(request: ModelRequest, answer: Items, settings: Settings) -> Completion:
    """The `answer` to the request, after the server has read all of its prompt but the last step.

    `answer` has not asked yet.
    """
    pace = pace_of(server_of(request.model, settings) or "")
    prompt = "".join(message.content for message in request.messages).encode()
    rest = len(prompt) - _read_in_steps(request, prompt, pace, settings)
    began = time.monotonic()
    for item in answer:
        if item and rest >= LEAST_STEP_BYTES:
            pace.note_read(rest, time.monotonic() - began)
            rest = 0
        if isinstance(item, Completion):
            pace.remember(prompt)
            return item
    raise ModelUnavailableError


def _read_in_steps(request: ModelRequest, prompt: bytes, pace: Pace, settings: Settings) -> int:
    """Returns how much of the prompt the server knows then."""
    known, position = pace.known_bytes(prompt), 0
    while len(prompt) - position > pace.step_bytes:
        size = pace.step_bytes
        position += size
        is_known = _read(request, position, size, pace, settings)
        pace.remember(prompt[:position])
        if is_known:
            position = max(position, known)
    return max(position, known)


def _read(request: ModelRequest, position: int, size: int, pace: Pace, settings: Settings) -> bool:
    """Ask about the beginning up to `position`. Returns whether the server knew it."""
    step = replace(request, messages=_cut(request.messages, position), max_tokens=1, form=None)
    call = partial(stream_answer, step, settings=settings)
    expected_s, began, cached_share = pace.expected_read_s(size), time.monotonic(), 0.0
    deadline_at = began + request.deadline_s
    try:
        for item in read_once(call, list_targets(step, settings)[0], settings, deadline_at):
            if isinstance(item, Completion):
                cached_share = item.tokens_cached / max(1, item.tokens_in)
    except InterruptedWorkError:
        pace.note_cut_off(size, time.monotonic() - began)
        raise
    except ThroughlineError:
        pass  # one token is often no answer; any other fault comes again in the call itself
    took_s = time.monotonic() - began
    is_known = cached_share * position > position - size / 2 or (
        expected_s is not None and took_s < KNOWN * expected_s
    )
    if is_known:
        pace.note_known(took_s)
    else:
        pace.note_read(size, took_s)
    return is_known


def _cut(messages: Sequence[ChatMessage], size: int) -> tuple[ChatMessage, ...]:
    """The messages up to so many bytes of their text."""
    beginning: list[ChatMessage] = []
    for message in messages:
        text = message.content.encode()
        beginning.append(replace(message, content=text[:size].decode(errors="ignore")))
        size -= len(text)
        if size <= 0:
            break
    return tuple(beginning)
