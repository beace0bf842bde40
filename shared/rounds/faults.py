"""What a user is told of a fault, and what only an operator may know."""

from __future__ import annotations

import logging

from shared.errors import InputRefusedError, RequestNotAcceptedError, ThroughlineError
from shared.models import OpenRound, UserId
from shared.rounds.endings import Fault
from shared.settings import Settings

logger = logging.getLogger(__name__)

UNFORESEEN = Fault("Something went wrong while the reply was being written.", "internal")


def explain(exc: Exception, opened: OpenRound, settings: Settings) -> Fault:
    """For the user whose round it was; what was not foreseen goes to the log."""
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
    """Words about a request are for who made it; words about account and server for operators."""
    if isinstance(error, InputRefusedError | RequestNotAcceptedError):
        return True
    return settings.auth_mode == "local" or user_id in settings.operators
