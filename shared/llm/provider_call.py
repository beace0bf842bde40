"""One call to one provider: a generator of pieces, with a `Completion` at its end.

Every call is streamed, even when the caller wants the whole answer: a model that writes a long
answer can then be told from one that has gone silent.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator

from shared.errors import (
    EmptyAnswerError,
    InputRefusedError,
    ModelAnswerTooLargeError,
    ModelUnavailableError,
    OutOfTokensError,
    ThroughlineError,
)
from shared.llm.adjusted_call import ask_adjusted
from shared.llm.chunks import ChunkedAnswer
from shared.llm.finish_reasons import read_finish_reason
from shared.llm.provider_errors import (
    WITHHELD,
    fault_fields,
    name_missing_key,
    translate,
    write_message,
)
from shared.llm.providers.litellm_setup import load_litellm
from shared.llm.request import Completion, ModelRequest, Reasoning
from shared.llm.targets import Target
from shared.metrics.counters import MODEL_CALLS, MODEL_TOKENS
from shared.models import FinishReason
from shared.outbound.connections import connection_here
from shared.policy.provider_messages import redact
from shared.policy.reasoning import RETRACTION, Parts
from shared.policy.text import printable
from shared.settings import STAND_IN_MODEL, Settings
from shared.tracing import begin_span

logger = logging.getLogger(__name__)

# In the metrics. Clients of /v1 may send any name, and each label is kept for ever.
OTHER_MODEL = "other"
UNEXPECTED_CODE = "internal"

EMPTY = "{model} gave an empty answer."
NO_WORD = (
    "{model} reached its limit of tokens before its first word. LLM_MAX_TOKENS may be too low."
)
TOO_LARGE = "The answer of {model} was not read to its end. {reason}"
BROKEN_OFF = "The answer of {model} broke off."
SAID = "Its server says why: “{word}”."
MAX_WORD_CHARS = 80

Pieces = Generator[str | Reasoning | Completion, None, None]
Call = Callable[[Target], Pieces]


def stream_answer(request: ModelRequest, target: Target, settings: Settings) -> Pieces:
    """Yields pieces of text and of reasoning, then the `Completion`. "" is a sign of life."""
    answer = ChunkedAnswer()
    model = model_label(target.model, settings)
    span = begin_span(f"model {request.purpose}", {"gen_ai.request.model": model})
    chunks = ask_adjusted(request, target, settings)
    try:
        for chunk in chunks:
            yield from _pieces(answer.take(chunk))
        yield from _pieces(answer.finish())
        completion = _completion(answer, target)
        count_answer(request, completion, settings)
        span.note("gen_ai.usage.input_tokens", completion.tokens_in)
        span.note("gen_ai.usage.output_tokens", completion.tokens_out)
        yield completion
    except Exception as exc:
        error = _explain(exc, target)
        count_failure(request, target.model, error, settings)
        span.fail(type(error).__name__)
        raise error from None
    finally:
        chunks.close()
        span.end()


def _pieces(parts: Parts) -> Pieces:
    if parts.retracts:
        yield RETRACTION
    if parts.reasoning:
        yield Reasoning(parts.reasoning)
    yield parts.text


def _completion(answer: ChunkedAnswer, target: Target) -> Completion:
    if breach := _find_breach(target):
        raise breach
    finish_reason = _read_ending(answer, target)
    text = answer.text
    if not (text.strip() or answer.has_words):
        raise _empty(finish_reason, target)
    return Completion(
        text=text,
        model=target.model,
        provider=target.provider,
        tokens_in=answer.usage.tokens_in,
        tokens_out=answer.usage.tokens_out,
        tokens_cached=min(answer.usage.tokens_cached, answer.usage.tokens_in),
        finish_reason=finish_reason,
        extras=answer.extras(),
    )


def _read_ending(answer: ChunkedAnswer, target: Target) -> FinishReason:
    """A server that stops in the middle of a stream says nothing, or a word that is no end."""
    word = answer.finish_reason or ("stop" if answer.is_done else "")
    if finish_reason := read_finish_reason(word):
        return finish_reason
    server_word = redact(printable(word), {target.model, target.name}, target.api_key)
    text = BROKEN_OFF if not server_word else f"{BROKEN_OFF} {SAID}"
    raise ModelUnavailableError(text.format(model=target.model, word=server_word[:MAX_WORD_CHARS]))


def _empty(finish_reason: FinishReason, target: Target) -> ThroughlineError:
    if finish_reason == "length":
        # A reasoning model used up its tokens before the answer. A retry would end the same way.
        return OutOfTokensError(NO_WORD.format(model=target.model))
    if finish_reason == "content_filter":
        return InputRefusedError(write_message(WITHHELD, target))
    return EmptyAnswerError(EMPTY.format(model=target.model))


def _find_breach(target: Target) -> ModelAnswerTooLargeError | None:
    """The error of an answer that was not read to its end, whatever litellm made of it."""
    connection = connection_here()
    if connection is None or connection.breach is None:
        return None
    text = TOO_LARGE.format(model=target.model, reason=connection.breach)
    return ModelAnswerTooLargeError(text)


def _explain(exc: Exception, target: Target) -> Exception:
    error = _find_breach(target) or translate(exc, target)
    connection = connection_here()
    if error is not exc and not (connection and connection.is_hung_up):
        fields = {"model": target.model, "kind": type(exc).__name__, **fault_fields(exc)}
        logger.info("model.call_failed", extra=fields)
    if error is exc or target.way != "litellm" or target.api_key:
        return error
    missing = load_litellm().validate_environment(target.name)["missing_keys"]
    return name_missing_key(error, missing)


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
    code = error.code if isinstance(error, ThroughlineError) else UNEXPECTED_CODE
    MODEL_CALLS.labels(
        model=model_label(model, settings), purpose=request.purpose, outcome=code
    ).inc()


def model_label(model: str, settings: Settings) -> str:
    """The model's name if a setting or an operator has named it, else `OTHER_MODEL`."""
    known_names = (
        *settings.environment_models,
        settings.effective_memory_model,
        *(site_model.name for site_model in settings.site_models),
        STAND_IN_MODEL,
    )
    return model if model in known_names else OTHER_MODEL
