"""How the writing of a reply ended, as an `Outcome`. Whatever was written is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from shared.errors import BusyError, ReplyFailedError
from shared.llm import Completion, provider_of
from shared.models import Message, Outcome

Trace = dict[str, Any]


class Fault(NamedTuple):
    """What went wrong: a sentence for the user, and a code that clients may rely on."""

    message: str
    code: str


INTERRUPTED = Fault("The server was restarted while this reply was being written.", "interrupted")
BUSY = Fault(BusyError().message, BusyError.code)
DELETED = "The conversation was deleted while this reply was being written."
NOT_SAVED = Fault("The reply could not be saved.", "database_unavailable")


def written(completion: Completion, text: str, trace: Trace) -> Outcome:
    """The model has ended it: whole, or cut."""
    return Outcome(
        status="complete" if completion.finish_reason == "stop" else "partial",
        finish_reason=completion.finish_reason,
        content=text,
        model=completion.model,
        provider=completion.provider,
        tokens_in=completion.tokens_in,
        tokens_out=completion.tokens_out,
        trace=trace,
    )


def cut(model: str, text: str, trace: Trace) -> Outcome:
    """By us: the model went on and on."""
    return replace(stopped(model, text, trace), finish_reason="length")


def stopped(model: str, text: str, trace: Trace) -> Outcome:
    return Outcome(
        status="partial",
        finish_reason="cancelled",
        content=text,
        model=model,
        provider=provider_of(model),
        trace=trace,
    )


def broken_off(model: str, text: str, fault: Fault, trace: Trace | None = None) -> Outcome:
    return Outcome(
        status="partial" if text else "failed",
        finish_reason="error",
        content=text,
        model=model,
        provider=provider_of(model),
        error=fault.message,
        error_code=fault.code,
        trace=trace or {},
    )


def deleted() -> Outcome:
    return Outcome(
        status="failed", finish_reason="error", content="", error=DELETED, error_code="not_found"
    )


def kept(message: Message) -> Outcome:
    """What the database holds of a closed reply."""
    return Outcome(
        status=message.status,
        finish_reason=message.finish_reason,
        content=message.content,
        model=message.model,
        provider=provider_of(message.model) if message.model else None,
        error=message.error,
        error_code=ReplyFailedError.code if message.error else None,
        trace=message.trace or {},
    )
