"""Try out a model that an operator sets up: one tiny question, and the name of its server.

The model is asked by the same client as in a round. An error becomes one of a few outcomes, so that
the page can say what to do.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import httpx

from shared.errors import (
    InvalidRequestError,
    ModelAnswerTooLargeError,
    ModelTimeoutError,
    OutOfTokensError,
    ThroughlineError,
)
from shared.llm.adjusted_call import ask_adjusted
from shared.llm.background_iterator import BackgroundIterator
from shared.llm.chunks import Chunk
from shared.llm.client import complete
from shared.llm.providers.direct_errors import ServerError, UnreadableAnswerError
from shared.llm.request import ChatMessage, ModelRequest
from shared.llm.served_models import list_served
from shared.llm.targets import Target, site_target
from shared.models.site_models import SiteModel
from shared.outbound.bounded_answers import UnboundedAnswerError
from shared.outbound.name_lookup import RefusedAddressError, check_url
from shared.policy.model_addresses import NO_MODEL_THERE
from shared.policy.provider_messages import find_message, redact
from shared.settings import Settings

LONGEST_S = 20.0
ANSWER_TOKENS = 16
HELLO = ChatMessage(role="user", content="Say hello in one word.")

Outcome = Literal[
    "works",
    "key_refused",
    "model_unknown",
    "redirected",
    "refused",
    "unreachable",
    "timeout",
    "not_openai",
]


@dataclass(frozen=True, kw_only=True)
class Probe:
    outcome: Outcome
    took_ms: int
    #: What the server or the client says of it, without keys. None: there is no more to say.
    detail: str | None = None
    #: The server's own list, where the model's name may be wrong. None: it has none.
    served: tuple[str, ...] | None = None


def probe(model: SiteModel, settings: Settings) -> Probe:
    """Ask the model. Takes `LONGEST_S` at most. Raises `InvalidRequestError` for the address.

    What its server refuses is learned in the limits of `settings`.
    """
    check_lookup(model.config.address)
    began = time.monotonic()
    target = site_target(model)
    limited = settings.model_copy(
        update={"llm_timeout_s": LONGEST_S, "llm_tries": 1, "llm_fallbacks": ()}
    ).with_models([model])
    request = ModelRequest(
        model=model.name,
        messages=(HELLO,),
        purpose="reply",
        max_tokens=ANSWER_TOKENS,
        temperature=0.0,  # as memory's jobs ask
        deadline_s=LONGEST_S,
    )
    if target.way == "direct":
        outcome, detail = _ask_server(request, target, limited)
    else:
        outcome, detail = _ask_provider(request, limited)
    took_ms = round((time.monotonic() - began) * 1000)
    served = list_served(model) if outcome in {"model_unknown", "refused", "not_openai"} else None
    if outcome == "model_unknown" and served is None:
        outcome = "not_openai"  # nothing at this address is known by the protocol's names
    return Probe(outcome=outcome, took_ms=took_ms, detail=detail, served=served)


def check_lookup(address: str | None) -> None:
    """Look up the address's name. Raises `InvalidRequestError` if no model can be there."""
    try:
        check_url(address)
    except RefusedAddressError as exc:
        raise InvalidRequestError(f"address: {NO_MODEL_THERE}") from exc


def _ask_server(
    request: ModelRequest, target: Target, settings: Settings
) -> tuple[Outcome, str | None]:
    try:
        spoke = any(_says_something(chunk) for chunk in _chunks(request, target, settings))
    except ServerError as exc:
        message = redact(find_message(exc.message), {target.model, target.name}, target.api_key)
        return _outcome_of(exc.status_code), message or None
    except (UnreadableAnswerError, UnboundedAnswerError, ModelAnswerTooLargeError):
        return "not_openai", None
    except (ModelTimeoutError, httpx.TimeoutException):
        return "timeout", None
    except (httpx.HTTPError, httpx.InvalidURL, OSError):
        return "unreachable", None
    return ("works" if spoke else "not_openai"), None


def _chunks(request: ModelRequest, target: Target, settings: Settings) -> Iterator[Chunk]:
    """In a thread that can be left: a server may send nothing, or never end."""
    pieces = BackgroundIterator(lambda: ask_adjusted(request, target, settings))
    deadline_at = time.monotonic() + LONGEST_S
    try:
        for piece in pieces.read(silence_s=LONGEST_S, deadline_at=deadline_at):
            if piece is not None:
                yield piece
    finally:
        pieces.abandon()


def _says_something(chunk: Chunk) -> bool:
    """A model that thinks may use up the few tokens before its first word."""
    return bool(not chunk.is_empty or chunk.finish_reason)


def _outcome_of(status: int) -> Outcome:
    if status in {401, 403}:
        return "key_refused"
    if status in {404, 405}:
        return "model_unknown"
    if 300 <= status < 400:
        return "redirected"
    return "refused"


def _ask_provider(request: ModelRequest, settings: Settings) -> tuple[Outcome, str | None]:
    """litellm's errors are ours by now, and each says in a sentence what it is."""
    try:
        complete(request, settings)
    except OutOfTokensError:
        return "works", None
    except ModelTimeoutError:
        return "timeout", None
    except ThroughlineError as exc:
        return "refused", " ".join(filter(None, (exc.message, exc.provider_said)))
    return "works", None
