"""A call to one model that leaves out what its server refuses.

A server may refuse any optional field, a role, or a long prompt. The refused call is repeated
without it. What was taken then is learned, so that no later request of any process is refused for
the same reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

from shared.errors import (
    InputRefusedError,
    InputTooLongError,
    ModelTimeoutError,
    RateLimitedError,
    RequestNotAcceptedError,
)
from shared.llm.chunks import Chunks
from shared.llm.prepared_request import PreparedRequest, prepare
from shared.llm.provider_errors import original_of, translate
from shared.llm.providers.stand_in import ask_stand_in
from shared.llm.request import ModelRequest
from shared.llm.targets import Target, place_of
from shared.models.request_limits import RequestLimits
from shared.policy.context_refusals import learn_context
from shared.policy.request_refusals import (
    MAX_CHARS,
    Refusal,
    adjust,
    names_nothing,
    search_blindly,
)
from shared.settings import Settings

MOST_CALLS = 10  # for one answer: a server that refuses everything is not asked for ever
#: An account or a key is refused, or the server is too busy: no request would be taken.
NOT_OF_THE_REQUEST = frozenset({401, 402, 403, 407, 408, 429, 503, 504, 529})

Ask = Callable[[PreparedRequest, Target, Settings], Chunks]


def ask_adjusted(request: ModelRequest, target: Target, settings: Settings) -> Chunks:
    """Raises what the ways of `providers` raise."""
    if target.way == "stand_in":
        yield from ask_stand_in(request)
        return
    negotiation = _Negotiation(request, target, settings)
    for _ in range(MOST_CALLS - 1):
        try:
            return (yield from negotiation.ask())
        except Exception as exc:
            if negotiation.is_answered or not negotiation.goes_on_after(exc):
                raise
    yield from negotiation.ask()


class _Negotiation:
    """The limits of the next call, and those that are learned if it is answered."""

    def __init__(self, request: ModelRequest, target: Target, settings: Settings) -> None:
        self.is_answered = False
        self._request = request
        self._target = target
        self._settings = settings
        self._place = place_of(target.model, settings)
        self._limits = settings.learned_limits.at(self._place)
        self._lesson = self._limits
        self._sent = prepare(request, target, settings, self._limits)
        self._blind: Iterator[tuple[RequestLimits, RequestLimits]] | None = None

    def ask(self) -> Chunks:
        with closing(_way_of(self._target)(self._sent, self._target, self._settings)) as chunks:
            for chunk in chunks:
                if not self.is_answered:
                    self.is_answered = True
                    self._settings.learned_limits.learn(self._place, self._lesson)
                yield chunk

    def goes_on_after(self, exc: Exception) -> bool:
        """Whether another request may be taken; it is asked next. Learns a limit of tokens."""
        refusal = _read_refusal(exc, self._target)
        if refusal is None:
            return False
        if isinstance(translate(exc, self._target), InputTooLongError):
            return self._fits_after(refusal)
        for limits in adjust(refusal, self._limits, self._sent.fields):
            if self._changes_by(limits):
                self._limits = self._lesson = limits
                self._blind = None
                return True
        return names_nothing(refusal, self._sent.fields) and self._searches_on(refusal)

    def _fits_after(self, refusal: Refusal) -> bool:
        """Whether the same prompt fits with a shorter answer."""
        self._limits = learn_context(
            self._limits,
            refusal.text,
            prompt_tokens=self._sent.count_tokens(),
            answer_tokens=self._sent.answer_tokens,
        )
        self._settings.learned_limits.learn(self._place, self._limits)
        self._lesson = self._limits
        had_room = self._sent.count_tokens() < (self._limits.prompt_tokens or 0)
        return self._changes_by(self._limits) and had_room

    def _searches_on(self, refusal: Refusal) -> bool:
        if self._blind is None:
            self._blind = search_blindly(refusal, self._limits, self._sent.fields)
        for limits, lesson in self._blind:
            if self._changes_by(limits):
                self._lesson = lesson
                return True
        return False

    def _changes_by(self, limits: RequestLimits) -> bool:
        """Prepare the next request by `limits`. Whether it differs from the refused one."""
        refused = self._sent
        self._sent = prepare(self._request, self._target, self._settings, limits)
        return self._sent != refused


def _way_of(target: Target) -> Ask:
    if target.way == "direct":
        from shared.llm.providers.direct import ask_directly

        return ask_directly
    from shared.llm.providers.through_litellm import ask_through_litellm

    return ask_through_litellm


def _read_refusal(exc: Exception, target: Target) -> Refusal | None:
    """None: the error is not about the request, or about what its words mean."""
    error, cause = translate(exc, target), original_of(exc)
    default_status = 422 if isinstance(exc, RequestNotAcceptedError) else None
    status = getattr(cause, "status_code", default_status)
    is_too_long = isinstance(error, InputTooLongError)
    if not isinstance(status, int) or isinstance(error, RateLimitedError | ModelTimeoutError):
        return None
    if not is_too_long and (status in NOT_OF_THE_REQUEST or isinstance(error, InputRefusedError)):
        return None
    return Refusal(status=status, text=str(getattr(cause, "message", ""))[:MAX_CHARS])
