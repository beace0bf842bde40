"""Retries and fallbacks: the same model again after a transient error, then the next model."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Generator
from dataclasses import dataclass, field

from shared.errors import (
    InterruptedWorkError,
    ModelTimeoutError,
    ModelUnavailableError,
    ThroughlineError,
    TransientError,
)
from shared.llm.background_iterator import TICK_S, BackgroundIterator
from shared.llm.interruption import check_interruption
from shared.llm.pace import WritingClock
from shared.llm.provider_call import Call
from shared.llm.request import Completion, Reasoning
from shared.llm.targets import Target
from shared.settings import Settings

FIRST_PAUSE_S = 0.5
#: A provider that asks for a longer pause than this is not asked again: a person is waiting.
LLM_RETRY_AFTER_MAX_S = 5.0

logger = logging.getLogger(__name__)

Items = Generator[str | Reasoning | Completion | None, None, None]


def pause_before_retry(
    error: ThroughlineError, tried: int, settings: Settings, jitter: float
) -> float | None:
    """Seconds until the same model is asked again; None when the next model is due.

    `tried` counts from 1, `jitter` is 0..1. A model is not asked again after a timeout, or if its
    provider asks for a wait longer than `LLM_RETRY_AFTER_MAX_S`.
    """
    if not isinstance(error, TransientError):
        return None
    if isinstance(error, ModelTimeoutError | InterruptedWorkError):
        return None
    if tried >= settings.llm_tries:
        return None
    pause_s = error.retry_after_s
    if pause_s is None:
        return float(FIRST_PAUSE_S * 2 ** (tried - 1) * (1 + jitter))
    return pause_s if pause_s <= LLM_RETRY_AFTER_MAX_S else None


@dataclass
class Attempts:
    """All attempts of one request.

    With `is_streamed` the pieces go to a reader, so nothing is retried once a piece of text was
    yielded. Reasoning is no such piece: what another attempt thinks is shown behind it.
    Without it only the whole answer counts, and an answer that broke off is retried.
    """

    targets: tuple[Target, ...]
    call: Call
    settings: Settings
    deadline_s: float
    is_streamed: bool = True
    has_begun: bool = field(default=False, init=False)

    def run(self) -> Items:
        """Yields pieces, then the `Completion`; None every `TICK_S` while nothing comes.

        When all models fail it raises the first transient error, else the first error: after a
        transient error the caller may try again later.
        """
        deadline_at = time.monotonic() + self.deadline_s
        errors: list[ThroughlineError] = []
        for target in self.targets:
            try:
                return (yield from self._ask(target, deadline_at))
            except InterruptedWorkError:
                raise
            except ThroughlineError as exc:
                if self.has_begun:
                    raise
                logger.warning("model.failed", extra={"model": target.model, "code": exc.code})
                errors.append(exc)
        raise next((e for e in errors if isinstance(e, TransientError)), errors[0])

    def _ask(self, target: Target, deadline_at: float) -> Items:
        """Ask one model, up to `LLM_TRIES` times."""
        tried = 0
        while True:
            tried += 1
            try:
                return (yield from self._try_once(target, deadline_at))
            except ThroughlineError as exc:
                pause_s = pause_before_retry(exc, tried, self.settings, random.random())  # noqa: S311
                if self.has_begun or pause_s is None or time.monotonic() + pause_s >= deadline_at:
                    raise
            yield from _wait(pause_s)

    def _try_once(self, target: Target, deadline_at: float) -> Items:
        for item in read_once(self.call, target, self.settings, deadline_at):
            is_piece = bool(item) and not isinstance(item, Reasoning)
            self.has_begun = self.has_begun or (self.is_streamed and is_piece)
            yield item


def read_once(call: Call, target: Target, settings: Settings, deadline_at: float) -> Items:
    """One call. It ends at once when it is interrupted, or when its reader leaves."""
    check_interruption()
    items, clock = BackgroundIterator(lambda: call(target)), WritingClock()
    try:
        for item in items.read(silence_s=settings.llm_timeout_s, deadline_at=deadline_at):
            check_interruption()
            if item and not isinstance(item, Completion):
                clock.tick()
            yield item
    finally:
        items.abandon()
        if target.api_base:
            clock.note(target.api_base)


def _wait(pause_s: float) -> Generator[None, None, None]:
    until = time.monotonic() + pause_s
    while (left := until - time.monotonic()) > 0:
        check_interruption()
        time.sleep(min(TICK_S, left))
        yield None


def last_completion(items: Items) -> Completion:
    """Run all attempts and return the answer."""
    for item in items:
        if isinstance(item, Completion):
            return item
    raise ModelUnavailableError
