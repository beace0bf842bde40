"""One call to one model, by litellm, as a generator of pieces that ends with a `Completion`.

Every call is streamed, also where only the whole is wanted: so a silent model can be told from
one that is at work, however long its answer is.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator
from contextlib import closing
from typing import Any

from shared.errors import (
    EmptyAnswerError,
    InputRefusedError,
    ModelTimeoutError,
    ModelUnavailableError,
    OutOfTokensError,
    RateLimitedError,
    RequestNotAcceptedError,
    ThroughlineError,
)
from shared.llm.connections import connection_here
from shared.llm.failures import BAD_REQUEST, WITHHELD, name_fault, name_missing_key, translate
from shared.llm.library import load_litellm
from shared.llm.request import Completion, ModelRequest
from shared.llm.targets import Target
from shared.llm.wire_form import Mode, list_modes, remember_refusals, response_format
from shared.models import FinishReason
from shared.settings import Settings

log = logging.getLogger(__name__)

EMPTY = "{model} gave an empty answer."
NO_WORD = (
    "{model} reached its limit of tokens before its first word. LLM_MAX_TOKENS may be too low."
)
BROKEN_OFF = "The answer of {model} broke off."

# What providers say when an answer is not whole, as litellm passes it on; all else is a good end.
FINISHED: dict[str, FinishReason] = {
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


def call_of(request: ModelRequest, settings: Settings) -> Call:
    """What asks a target, each time it is called, as strictly as that target can be held."""
    if request.form is not None:
        return FormCall(request, settings)
    return lambda target: call_stream(request, target, settings, "plain")


class FormCall:
    """A request for an answer in a form. A mode that the provider refuses costs one short call.

    A fault in a strict mode may come of that mode, so the next try of this request is plain.
    """

    def __init__(self, request: ModelRequest, settings: Settings) -> None:
        self._request = request
        self._settings = settings
        self._faulty: set[Target] = set()

    def __call__(self, target: Target) -> Pieces:
        modes: list[Mode] = ["plain"] if target in self._faulty else list_modes(target)
        for tried, mode in enumerate(modes):
            try:
                with closing(call_stream(self._request, target, self._settings, mode)) as items:
                    for item in items:
                        if isinstance(item, Completion):  # nobody asks for what comes after it
                            remember_refusals(target, modes[:tried])
                        yield item
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


def call_stream(request: ModelRequest, target: Target, settings: Settings, mode: Mode) -> Pieces:
    """Yields pieces of text ("" as a sign of life while a model thinks), then the whole."""
    arguments = _arguments(request, target, settings, mode)
    stream: Any = None
    try:
        stream = _ask_litellm(
            target, stream=True, stream_options={"include_usage": True}, **arguments
        )
        text, usage = yield from _read_chunks(stream)
        yield _completion(text, target, usage, _finish_reason(stream, target))
    except Exception as exc:
        raise _explain(exc, target) from None
    finally:
        _close(stream)


def _ask_litellm(target: Target, **arguments: Any) -> Any:
    """With `drop_params` litellm returns None for a 422 of an OpenAI-compatible server."""
    response = load_litellm().completion(**arguments)
    if response is None:
        raise RequestNotAcceptedError(
            BAD_REQUEST.format(provider=target.provider, model=target.model)
        )
    return response


def _read_chunks(stream: Any) -> Generator[str, None, tuple[str, Any]]:
    pieces: list[str] = []
    usage = None
    for chunk in stream:
        usage = getattr(chunk, "usage", None) or usage
        delta = chunk.choices[0].delta if chunk.choices else None
        pieces.append(getattr(delta, "content", None) or "")
        yield pieces[-1]
    return "".join(pieces), usage


def _finish_reason(stream: Any, target: Target) -> str:
    """litellm puts "stop" where the server sent nothing; only what was received counts."""
    # A stream that is not litellm's usual wrapper keeps no such record: it is believed.
    received = getattr(stream, "received_finish_reason", "stop")
    received = received or getattr(stream, "intermittent_finish_reason", None)
    if not received:
        raise ModelUnavailableError(BROKEN_OFF.format(model=target.model))
    return str(received)


def _completion(text: str, target: Target, usage: Any, reason: str) -> Completion:
    finish_reason = FINISHED.get(reason.lower(), "stop")
    if not text.strip():
        raise _empty(finish_reason, target)
    return Completion(
        text=text,
        model=target.model,
        provider=target.provider,
        tokens_in=getattr(usage, "prompt_tokens", None) or 0,
        tokens_out=getattr(usage, "completion_tokens", None) or 0,
        finish_reason=finish_reason,
    )


def _empty(finish_reason: FinishReason, target: Target) -> ThroughlineError:
    """A model may think until its tokens are used up: asking the same again would not help."""
    if finish_reason == "length":
        return OutOfTokensError(NO_WORD.format(model=target.model))
    if finish_reason == "content_filter":
        return InputRefusedError(WITHHELD.format(provider=target.provider))
    return EmptyAnswerError(EMPTY.format(model=target.model))


def _arguments(
    request: ModelRequest, target: Target, settings: Settings, mode: Mode
) -> dict[str, Any]:
    arguments: dict[str, Any] = {
        "model": target.name,
        "messages": [{"role": m.role, "content": m.content} for m in request.messages],
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "response_format": response_format(request.form, mode) if request.form else None,
        "api_base": target.api_base,
        "api_key": target.api_key,
        "timeout": settings.llm_timeout_s,
    }
    given = {name: value for name, value in arguments.items() if value is not None}
    return given | {"max_retries": 0, "num_retries": 0}  # attempts.py retries, nobody else


def _explain(exc: Exception, target: Target) -> Exception:
    error = translate(exc, target)
    connection = connection_here()
    if error is not exc and not (connection and connection.is_hung_up):
        fields = {"model": target.model, "kind": type(exc).__name__, **name_fault(exc)}
        log.info("model_call_failed", extra=fields)
    if error is exc or target.api_key:
        return error
    missing = load_litellm().validate_environment(target.name)["missing_keys"]
    return name_missing_key(error, missing)


def _close(stream: Any) -> None:
    """Hang up: a local model that nobody listens to should not go on writing."""
    close = getattr(getattr(stream, "completion_stream", None), "close", None)
    if close is not None:
        close()
