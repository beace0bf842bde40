"""An answer piece by piece."""

from __future__ import annotations

from collections.abc import Iterator

from shared.llm.attempts import Attempts, Items
from shared.llm.calls import call_of
from shared.llm.request import Completion, ModelRequest
from shared.llm.targets import list_targets
from shared.settings import Settings


class ReplyStream:
    """Yields pieces of text, and None at least every 0.1 s while none comes.

    Errors are those of `complete`; once the first piece is out nothing is retried, and what
    was yielded is what there is. `completion` is there after the last piece.
    """

    def __init__(self, items: Items) -> None:
        self._items = items
        self._completion: Completion | None = None

    def __iter__(self) -> Iterator[str | None]:
        return self

    def __next__(self) -> str | None:
        item = next(self._items)
        if not isinstance(item, Completion):
            return item or None  # "" says only that the model is alive
        self._completion = item
        return next(self)

    @property
    def completion(self) -> Completion:
        if self._completion is None:
            raise RuntimeError("the stream is not at its end")
        return self._completion

    def close(self) -> None:
        """Abandon it, from the thread that reads it: the provider is hung up on."""
        self._items.close()


def open_stream(request: ModelRequest, settings: Settings) -> ReplyStream:
    """Returns at once; the model is asked when the first piece is wanted."""

    def items() -> Items:
        targets = list_targets(request, settings)
        yield from Attempts(targets, call_of(request, settings), settings).run()

    return ReplyStream(items())
