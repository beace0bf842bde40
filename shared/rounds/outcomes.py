"""How the writing of a reply ended, as an `Outcome`. The text written so far is always kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from shared.errors import ReplyFailedError
from shared.llm import Completion
from shared.models import Message, Outcome
from shared.rounds.reply_faults import Fault

Trace = dict[str, Any]

DELETED = "The conversation was deleted while this reply was being written."


def completed(completion: Completion, text: str, trace: Trace) -> Outcome:
    """The model ended the reply. It is whole, or the model's limit cut it off.

    Of a model that refuses, the refusal is the reply.
    """
    refusal = "" if text.strip() else completion.extras.get("refusal", "")
    return Outcome(
        status="complete" if completion.finish_reason == "stop" else "partial",
        finish_reason=completion.finish_reason,
        content=refusal or text,
        model=completion.model,
        tokens_in=completion.tokens_in,
        tokens_out=completion.tokens_out,
        tokens_cached=completion.tokens_cached,
        trace={**trace, "refuses": True} if refusal else trace,
        extras=completion.extras,
    )


def too_long(model: str, text: str, trace: Trace) -> Outcome:
    """Our own limit cut the reply off."""
    return replace(stopped(model, text, trace), finish_reason="length")


def stopped(model: str, text: str, trace: Trace) -> Outcome:
    """The user stopped the reply."""
    return Outcome(
        status="partial",
        finish_reason="cancelled",
        content=text,
        model=model,
        trace=trace,
    )


def failed(model: str | None, text: str, fault: Fault, trace: Trace | None = None) -> Outcome:
    return Outcome(
        status="partial" if text else "failed",
        finish_reason="error",
        content=text,
        model=model,
        error=fault.message,
        error_code=fault.code,
        trace=trace or {},
    )


def deleted() -> Outcome:
    return Outcome(
        status="failed", finish_reason="error", content="", error=DELETED, error_code="not_found"
    )


def stored(message: Message) -> Outcome:
    """The outcome of a closed reply in the database."""
    return Outcome(
        status=message.status,
        finish_reason=message.finish_reason,
        content=message.content,
        model=message.model,
        error=message.error,
        error_code=ReplyFailedError.code if message.error else None,
        trace=message.trace or {},
    )
