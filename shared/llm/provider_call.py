"""One call to one provider through litellm: a generator of pieces, with a `Completion` at its end.

Every call is streamed, even when the caller wants the whole answer: a model that writes a long
answer can then be told from one that has gone silent.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator
from typing import Any

from shared.errors import (
    EmptyAnswerError,
    InputRefusedError,
    ModelUnavailableError,
    OutOfTokensError,
    RequestNotAcceptedError,
    ThroughlineError,
)
from shared.llm.chunks import ChunkedAnswer
from shared.llm.client_options import client_arguments
from shared.llm.connections import connection_here
from shared.llm.litellm_setup import load_litellm
from shared.llm.provider_errors import (
    BAD_REQUEST,
    WITHHELD,
    fault_fields,
    name_missing_key,
    translate,
)
from shared.llm.request import Completion, ModelRequest
from shared.llm.response_format import Mode, response_format
from shared.llm.targets import Target
from shared.models import FinishReason
from shared.settings import Settings

logger = logging.getLogger(__name__)

EMPTY = "{model} gave an empty answer."
NO_WORD = (
    "{model} reached its limit of tokens before its first word. LLM_MAX_TOKENS may be too low."
)
BROKEN_OFF = "The answer of {model} broke off."

# Providers' finish reasons, as litellm passes them on. Any other reason is a normal end.
FINISH_REASONS: dict[str, FinishReason] = {
    "length": "length",
    "max_tokens": "length",
    "max_output_tokens": "length",
    "model_length": "length",
    "model_context_window_exceeded": "length",
    "content_filter": "content_filter",
    "content_filtered": "content_filter",
    "guardrail_intervened": "content_filter",
    "refusal": "content_filter",
    "safety": "content_filter",
    "recitation": "content_filter",
}

Pieces = Generator[str | Completion, None, None]
Call = Callable[[Target], Pieces]


def stream_answer(request: ModelRequest, target: Target, settings: Settings, mode: Mode) -> Pieces:
    """Yields pieces of text ("" while a model that thinks writes none), then the `Completion`."""
    arguments = _arguments(request, target, settings, mode)
    stream: Any = None
    try:
        stream = _open_stream(target, **arguments)
        answer = ChunkedAnswer()
        yield from (answer.take(chunk) for chunk in stream)
        yield _completion(answer, target, _finish_reason(stream, target))
    except Exception as exc:
        raise _explain(exc, target) from None
    finally:
        _close(stream)


def _open_stream(target: Target, **arguments: Any) -> Any:
    stream = load_litellm().completion(
        stream=True, stream_options={"include_usage": True}, **arguments
    )
    if stream is None:  # litellm returns it with `drop_params` after a server's 422
        raise RequestNotAcceptedError(
            BAD_REQUEST.format(provider=target.provider, model=target.model)
        )
    return stream


def _finish_reason(stream: Any, target: Target) -> str:
    """The reason that the server sent. litellm itself reports "stop" when the server sent none."""
    # Streams without litellm's usual wrapper do not record the reason: "stop" is assumed.
    received = getattr(stream, "received_finish_reason", "stop")
    received = received or getattr(stream, "intermittent_finish_reason", None)
    if not received:
        raise ModelUnavailableError(BROKEN_OFF.format(model=target.model))
    return str(received)


def _completion(answer: ChunkedAnswer, target: Target, reason: str) -> Completion:
    finish_reason = FINISH_REASONS.get(reason.lower(), "stop")
    text, usage = answer.text, answer.usage
    if not (text.strip() or answer.has_words):
        raise _empty(finish_reason, target)
    return Completion(
        text=text,
        model=target.model,
        provider=target.provider,
        tokens_in=getattr(usage, "prompt_tokens", None) or 0,
        tokens_out=getattr(usage, "completion_tokens", None) or 0,
        finish_reason=finish_reason,
        extras=answer.extras(),
    )


def _empty(finish_reason: FinishReason, target: Target) -> ThroughlineError:
    if finish_reason == "length":
        # A reasoning model used up its tokens before the answer. A retry would end the same way.
        return OutOfTokensError(NO_WORD.format(model=target.model))
    if finish_reason == "content_filter":
        return InputRefusedError(WITHHELD.format(provider=target.provider))
    return EmptyAnswerError(EMPTY.format(model=target.model))


def _arguments(
    request: ModelRequest, target: Target, settings: Settings, mode: Mode
) -> dict[str, Any]:
    arguments: dict[str, Any] = {
        "model": target.name,
        "messages": [dict(message) for message in request.raw_messages]
        or [{"role": m.role, "content": m.content} for m in request.messages],
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "response_format": response_format(request.form, mode) if request.form else None,
        "api_base": target.api_base,
        "api_key": target.api_key,
        "timeout": settings.llm_timeout_s,
    }
    given = {name: value for name, value in arguments.items() if value is not None}
    given |= client_arguments(request, target)
    return given | {"max_retries": 0, "num_retries": 0}  # retries.py does that


def _explain(exc: Exception, target: Target) -> Exception:
    error = translate(exc, target)
    connection = connection_here()
    if error is not exc and not (connection and connection.is_hung_up):
        fields = {"model": target.model, "kind": type(exc).__name__, **fault_fields(exc)}
        logger.info("model.call_failed", extra=fields)
    if error is exc or target.api_key:
        return error
    missing = load_litellm().validate_environment(target.name)["missing_keys"]
    return name_missing_key(error, missing)


def _close(stream: Any) -> None:
    """Hang up, so that a local model stops writing an answer that nobody reads."""
    close = getattr(getattr(stream, "completion_stream", None), "close", None)
    if close is not None:
        close()
