"""One request to a model and its fallbacks, answered as a whole or piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from shared.errors import ModelTimeoutError, ModelUnavailableError, RateLimitedError
from shared.llm.interruption import reads_in_steps
from shared.llm.provider_call import Pieces, stream_answer
from shared.llm.request import Completion, ModelRequest, Reasoning
from shared.llm.retries import Attempts, Items, last_completion
from shared.llm.steps import complete_in_steps
from shared.llm.targets import Target, list_targets
from shared.settings import Settings


def complete(request: ModelRequest, settings: Settings) -> Completion:
    """Ask the model, then its fallbacks, for a whole answer.

    Raises `ModelUnavailableError` and its kinds for faults that may pass, `ModelRefusedError`
    and its kinds for faults that will not.
    """
    items = _ask(request, settings, is_streamed=False)
    if reads_in_steps():
        return complete_in_steps(request, items, settings)
    return last_completion(items)


class ReplyStream:
    """Yields pieces of text, and None at least every 0.1 s while none comes.

    Raises what `complete` raises. Nothing is retried once a piece was yielded. `on_reasoning` gets
    what the model thinks, piece by piece, in the thread that reads.
    """

    def __init__(self, items: Items, on_reasoning: Callable[[str], None]) -> None:
        self._items = items
        self._on_reasoning = on_reasoning
        self._completion: Completion | None = None

    def __iter__(self) -> Iterator[str | None]:
        return self

    def __next__(self) -> str | None:
        item = next(self._items)
        if isinstance(item, Reasoning):
            self._on_reasoning(item.text)
            return None
        if not isinstance(item, Completion):
            return item or None  # "" says only that the model is alive
        self._completion = item
        return next(self)

    @property
    def completion(self) -> Completion:
        """The whole answer, once the last piece was read."""
        if self._completion is None:
            raise RuntimeError("the stream is not at its end")
        return self._completion

    def close(self) -> None:
        """Hang up on the provider. Call it from the thread that reads."""
        self._items.close()


def open_stream(
    request: ModelRequest,
    settings: Settings,
    on_reasoning: Callable[[str], None] = lambda piece: None,
) -> ReplyStream:
    """Return a stream at once. The model is asked when its first piece is read."""
    return ReplyStream(_ask(request, settings, is_streamed=True), on_reasoning)


def _ask(request: ModelRequest, settings: Settings, *, is_streamed: bool) -> Items:
    faulty: set[Target] = set()

    def call(target: Target) -> Pieces:
        """After a fault the next try asks for no form: it may have caused the fault."""
        attempt = replace(request, form=None) if target in faulty else request
        try:
            yield from stream_answer(attempt, target, settings)
        except ModelUnavailableError as exc:
            if not isinstance(exc, ModelTimeoutError | RateLimitedError):
                faulty.add(target)
            raise

    targets = list_targets(request, settings)
    yield from Attempts(targets, call, settings, request.deadline_s, is_streamed=is_streamed).run()
