"""Find the response format that a provider accepts. The strictest is tried first."""

from __future__ import annotations

from contextlib import closing

from shared.errors import (
    ModelTimeoutError,
    ModelUnavailableError,
    RateLimitedError,
    RequestNotAcceptedError,
)
from shared.llm.provider_call import Pieces, stream_answer
from shared.llm.request import Completion, ModelRequest
from shared.llm.response_format import Mode, list_modes, remember_refusals
from shared.llm.targets import Target
from shared.settings import Settings


class NegotiatedCall:
    """Asks the target that it is given for an answer in the request's form.

    A refused format costs one short call. After any other fault in a strict format the next try
    uses no format, because the format may have caused the fault.
    """

    def __init__(self, request: ModelRequest, settings: Settings) -> None:
        self._request = request
        self._settings = settings
        self._faulty: set[Target] = set()

    def __call__(self, target: Target) -> Pieces:
        modes: list[Mode] = ["plain"] if target in self._faulty else list_modes(target)
        for tried, mode in enumerate(modes):
            try:
                yield from self._ask(target, mode, refused=modes[:tried])
            except RequestNotAcceptedError:
                if mode == "plain":
                    raise
                continue
            except (ModelTimeoutError, RateLimitedError):
                raise
            except ModelUnavailableError:
                self._faulty.add(target)
                raise
            return

    def _ask(self, target: Target, mode: Mode, *, refused: list[Mode]) -> Pieces:
        with closing(stream_answer(self._request, target, self._settings, mode)) as items:
            for item in items:
                if isinstance(item, Completion):  # the last item: note it before it goes
                    remember_refusals(target, refused)
                yield item
