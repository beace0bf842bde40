"""One whole answer."""

from __future__ import annotations

from shared.llm.attempts import Attempts, last_completion
from shared.llm.calls import call_of
from shared.llm.request import Completion, ModelRequest
from shared.llm.targets import list_targets
from shared.settings import Settings


def complete(request: ModelRequest, settings: Settings) -> Completion:
    """Ask the model, then its fallbacks. Raises `ModelUnavailableError` and its kinds for
    what may pass, `ModelRefusedError` for what will not."""
    targets = list_targets(request, settings)
    attempts = Attempts(targets, call_of(request, settings), settings, shows=False)
    return last_completion(attempts.run())
