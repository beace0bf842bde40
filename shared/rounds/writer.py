"""Writes one reply: recall, then the model's stream. The result is an `Outcome`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from shared.errors import InputTooLongError, ReplyTooLongError
from shared.llm import Completion, open_stream
from shared.metrics.counters import STEP_S
from shared.models import OpenRound, Outcome
from shared.policy.continuation import Continuation
from shared.policy.reasoning import RETRACTION
from shared.policy.text import storable
from shared.rounds import outcomes
from shared.rounds.broadcast import Log, broadcast
from shared.rounds.live_reply import LiveReply
from shared.rounds.prompt_builder import Means, PromptBuilder, recall_for_prompts
from shared.rounds.reply_faults import INTERRUPTED, explain
from shared.timing import Steps

MAX_CHARS = 400_000  # of one reply; a model that ignores its limit of tokens is cut off
MAX_PROMPTS = 4  # if the model calls a prompt too long, the next prompt is half as long


def write_reply(chat_round: OpenRound, live: LiveReply, log: Log, means: Means) -> Outcome:
    """Write the reply into `live`. Never raises: the outcome of a fault has the text so far."""
    steps, model = Steps(), means.model
    trace: dict[str, object] = {
        **(chat_round.former_reply.trace or {} if chat_round.former_reply else {}),
        "steps_ms": steps.taken_ms,
    }
    try:
        with means.waiting_rounds.announce(lambda: len(live.text)):
            with means.ticket.before_answer():
                prompts = recall_for_prompts(chat_round, means, steps)
            with steps.step("model"):
                completion = _stream(prompts, live, log, trace, steps)
    except ReplyTooLongError:
        outcome = outcomes.too_long(model, live.text, trace)
    except Exception as exc:
        is_operator = partial(means.is_operator, chat_round.conversation.user_id)
        fault = explain(exc, chat_round, is_operator=is_operator)
        outcome = outcomes.failed(model, live.text, fault, trace)
    else:
        outcome = _outcome_of(completion, live, model, trace)
    finally:
        for name, taken_ms in steps.taken_ms.items():
            STEP_S.labels(step=name).observe(taken_ms / 1000)
    if not live.reasoning:
        return outcome
    reasoning = {"text": live.reasoning, "ms": live.reasoning_ms}
    return replace(outcome, trace={**outcome.trace, "reasoning": reasoning})


def _stream(
    prompts: PromptBuilder, live: LiveReply, log: Log, trace: dict[str, object], steps: Steps
) -> Completion | None:
    """Stream the answer to the largest prompt that the model accepts. None: it was stopped.

    Many servers tell their limit only by refusing a prompt. The next one has the room that was
    learned of it. `trace` describes the last prompt.
    """
    text_before, room = live.text, prompts.room  # a continued reply already has text
    for tried in range(1, MAX_PROMPTS + 1):
        with steps.step("prompt"):
            prompt = prompts.build(room)
        trace |= prompt.trace
        stream = open_stream(prompts.request_of(prompt), prompts.settings, live.think)
        pieces = _without_repetition(stream, text_before) if text_before else stream
        try:
            broadcast(_limited(pieces, MAX_CHARS - len(text_before)), live, log, steps)
            return None if live.stop_asked.is_set() else stream.completion
        except InputTooLongError:
            if tried == MAX_PROMPTS or live.text != text_before:
                raise
        finally:
            stream.close()
        room = prompts.smaller_room(room)
    raise AssertionError  # the last prompt was answered or refused


def _outcome_of(
    completion: Completion | None, live: LiveReply, model: str, trace: dict[str, object]
) -> Outcome:
    """The outcome of a stream that ended, or that somebody stopped."""
    if completion is not None:
        trace["usage"] = _add_usage(trace.get("usage"), completion)
        return outcomes.completed(completion, live.text, trace)
    if live.is_interrupted:
        return outcomes.failed(model, live.text, INTERRUPTED, trace)
    return outcomes.stopped(model, live.text, trace)


def _add_usage(before: object, completion: Completion) -> dict[str, int]:
    """Add the tokens of a completion to those of the part that it continues."""
    usage = before if isinstance(before, dict) else {}
    return {
        "tokens_in": usage.get("tokens_in", 0) + completion.tokens_in,
        "tokens_out": usage.get("tokens_out", 0) + completion.tokens_out,
        "tokens_cached": usage.get("tokens_cached", 0) + completion.tokens_cached,
    }


def _without_repetition(pieces: Iterable[str | None], beginning: str) -> Iterator[str | None]:
    """Leave out what a continuation repeats of `beginning`."""
    continuation = Continuation(beginning)
    for piece in pieces:
        if piece == RETRACTION:
            continuation = Continuation(beginning)
            yield piece
        else:
            yield continuation.take(piece) if piece else None
    yield continuation.end()


def _limited(pieces: Iterable[str | None], max_chars: int) -> Iterator[str | None]:
    """Make the pieces storable. Raises `ReplyTooLongError` after `max_chars` characters."""
    for piece in pieces:
        if piece == RETRACTION:
            yield piece
            continue
        text = storable(piece or "")
        yield text[: max(0, max_chars)] or None
        max_chars -= len(text)
        if max_chars < 0:
            raise ReplyTooLongError
