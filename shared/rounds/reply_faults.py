"""What users are told when a reply fails, and what only operators may read."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import NamedTuple

from shared.errors import (
    BusyError,
    InputRefusedError,
    RequestNotAcceptedError,
    ThroughlineError,
)
from shared.models import OpenRound

logger = logging.getLogger(__name__)


class Fault(NamedTuple):
    """What went wrong: a sentence for the user, and a code that clients may rely on."""

    message: str
    code: str


BUSY = Fault(BusyError().message, BusyError.code)
INTERRUPTED = Fault("The server was restarted while this reply was being written.", "interrupted")
NOT_SAVED = Fault("The reply could not be saved.", "database_unavailable")
UNFORESEEN = Fault("Something went wrong while the reply was being written.", "internal")


def explain(exc: Exception, chat_round: OpenRound, *, is_operator: Callable[[], bool]) -> Fault:
    """Explain an error to the round's user in a sentence. An unforeseen error is logged.

    `is_operator` is called only for a provider's message that no other user may read.
    """
    if isinstance(exc, ThroughlineError):
        provider_message = exc.provider_said
        if provider_message and (_is_of_request(exc) or is_operator()):
            return Fault(f"{exc.message} The provider says: “{provider_message}”", exc.code)
        return Fault(exc.message, exc.code)
    logger.error(
        "round.crashed",
        exc_info=exc,
        extra={
            "conversation_id": chat_round.conversation.conversation_id,
            "sequence": chat_round.sequence,
        },
    )
    return UNFORESEEN


def _is_of_request(error: ThroughlineError) -> bool:
    """Whether the provider's message is about the user's own request.

    Other messages are about the account at the provider, or its server: for operators alone.
    """
    return isinstance(error, InputRefusedError | RequestNotAcceptedError)
