"""What users are told when a reply fails, and what only operators may read."""

from __future__ import annotations

import logging
from typing import NamedTuple

from shared.errors import (
    BusyError,
    InputRefusedError,
    RequestNotAcceptedError,
    ThroughlineError,
)
from shared.models import OpenRound, UserId
from shared.settings import Settings

logger = logging.getLogger(__name__)


class Fault(NamedTuple):
    """What went wrong: a sentence for the user, and a code that clients may rely on."""

    message: str
    code: str


BUSY = Fault(BusyError().message, BusyError.code)
INTERRUPTED = Fault("The server was restarted while this reply was being written.", "interrupted")
NOT_SAVED = Fault("The reply could not be saved.", "database_unavailable")
UNFORESEEN = Fault("Something went wrong while the reply was being written.", "internal")


def explain(exc: Exception, opened: OpenRound, settings: Settings) -> Fault:
    """Explain an error to the user of the round. An unforeseen error is logged."""
    if isinstance(exc, ThroughlineError):
        said = exc.provider_said
        if said and _may_see(exc, opened.conversation.user_id, settings):
            return Fault(f"{exc.message} The provider says: “{said}”", exc.code)
        return Fault(exc.message, exc.code)
    logger.error(
        "round.crashed",
        exc_info=exc,
        extra={"conversation_id": opened.conversation.conversation_id, "sequence": opened.sequence},
    )
    return UNFORESEEN


def _may_see(error: ThroughlineError, user_id: UserId, settings: Settings) -> bool:
    """Whether the user may read the provider's message.

    Users may read messages about their requests. Other messages are about the account or the
    server, and only operators may read them.
    """
    if isinstance(error, InputRefusedError | RequestNotAcceptedError):
        return True
    return settings.auth_mode == "local" or user_id in settings.operators
