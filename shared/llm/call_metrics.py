"""Counts the calls of models: how they ended, and their tokens."""

from __future__ import annotations

from shared.errors import ThroughlineError
from shared.llm.request import Completion, ModelRequest
from shared.metrics.counters import MODEL_CALLS, MODEL_TOKENS
from shared.settings import STAND_IN_MODEL, Settings

OTHER = "other"  # clients of /v1 may send any name, and each label is kept for ever
UNEXPECTED = "internal"


def count_answer(request: ModelRequest, completion: Completion, settings: Settings) -> None:
    model = model_label(completion.model, settings)
    MODEL_CALLS.labels(model=model, purpose=request.purpose, outcome="ok").inc()
    tokens = {
        "in": completion.tokens_in,
        "cached": completion.tokens_cached,
        "out": completion.tokens_out,
    }
    for direction, count in tokens.items():
        MODEL_TOKENS.labels(model=model, purpose=request.purpose, direction=direction).inc(count)


def count_failure(request: ModelRequest, model: str, error: Exception, settings: Settings) -> None:
    code = error.code if isinstance(error, ThroughlineError) else UNEXPECTED
    MODEL_CALLS.labels(
        model=model_label(model, settings), purpose=request.purpose, outcome=code
    ).inc()


def model_label(model: str, settings: Settings) -> str:
    """The model's name if a setting or an operator has named it."""
    known_names = (
        *settings.environment_models,
        settings.effective_memory_model,
        *(site_model.name for site_model in settings.site_models),
        STAND_IN_MODEL,
    )
    return model if model in known_names else OTHER
