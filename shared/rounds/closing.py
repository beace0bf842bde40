"""The end of a round: one short transaction that stores the reply and claims the due jobs."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import NamedTuple

from tenacity import (
    RetryCallState,
    Retrying,
    retry_if_exception_type,
    wait_random_exponential,
)

from shared.db import PgConnection
from shared.derivations.claims import claim_due, due_kinds
from shared.errors import DatabaseFullError, DatabaseUnavailableError, NotFoundError
from shared.guard import may_fail
from shared.metrics.counters import LATE_WRITES, ROUNDS
from shared.models import ConversationId, Due, OpenRound, Outcome, ReplyAttempt, Usage
from shared.models.clients import ClientTurn
from shared.policy.clients.client_messages import calls_of
from shared.policy.clients.digests import digest_reply
from shared.rounds import outcomes
from shared.services import Services
from shared.settings import Settings
from shared.store import client_turns, conversations, messages, replies, usage

logger = logging.getLogger(__name__)

CLOSE_FOR_S = 60  # how long a finished reply waits for the database to come back
FULL_FOR_S = 10  # a full disk is seldom cleared while somebody waits


class Closed(NamedTuple):
    """How a round ended, according to the database."""

    #: None: another attempt is writing the reply.
    outcome: Outcome | None
    #: The jobs to send. None: somebody else has closed the round.
    due: list[Due] | None


def close_with_retries(services: Services, chat_round: OpenRound, outcome: Outcome) -> Closed:
    """Close a round, and try again while the database is away.

    It uses its own connections, so that a finished reply does not wait behind other requests.
    Raises `DatabaseUnavailableError` after `CLOSE_FOR_S`, and `DatabaseFullError` sooner.
    """
    attempt, user_id = chat_round.attempt, chat_round.conversation.user_id
    for retry in Retrying(
        retry=retry_if_exception_type(DatabaseUnavailableError),
        wait=wait_random_exponential(multiplier=0.2, max=2),
        stop=_is_too_late,
        reraise=True,
    ):
        with retry, services.closings.transaction(user=user_id) as connection:
            due = close_round(connection, attempt, outcome, services.settings)
            if due is not None:
                closed = Closed(outcome, due)
            else:
                closed = Closed(_read_other_outcome(connection, attempt), None)
    if closed.outcome is not None:
        ROUNDS.labels(status=closed.outcome.status).inc()
    return closed


def _is_too_late(state: RetryCallState) -> bool:
    error = state.outcome.exception() if state.outcome else None
    limit_s = FULL_FOR_S if isinstance(error, DatabaseFullError) else CLOSE_FOR_S
    return (state.seconds_since_start or 0) >= limit_s


def close_round(
    connection: PgConnection, attempt: ReplyAttempt, outcome: Outcome, settings: Settings
) -> list[Due] | None:
    """Store the reply and claim the due jobs. None: somebody else has closed this round."""
    conversation_id, sequence = attempt.conversation_id, attempt.sequence
    conversation = conversations.lock_any_conversation(connection, conversation_id)
    if conversation is None:
        return None
    closed = may_fail(
        connection, "trace", lambda inner: replies.close_reply(inner, attempt, outcome)
    )
    if closed is None:  # the trace cannot be stored, but the reply can
        closed = replies.close_reply(connection, attempt, replace(outcome, trace={}))
    if not closed:
        return None
    _save_client_turn(connection, attempt, outcome)
    conversations.advance(connection, conversation_id, sequence)
    may_fail(connection, "usage", lambda inner: _add_usage(inner, conversation_id, outcome))
    kinds = due_kinds(conversation.mode, outcome.status, settings)
    return claim_due(connection, conversation_id, sequence, settings, kinds)


def _save_client_turn(connection: PgConnection, attempt: ReplyAttempt, outcome: Outcome) -> None:
    """Keep what a client of OpenAI's protocol will resend of this reply.

    The trace has its reasoning, which no later prompt may contain.
    """
    message = outcome.message
    message.pop("reasoning_content", None)
    calls = sorted(calls_of([message]))
    if not (outcome.content or calls):
        client_turns.delete_turns(connection, attempt.conversation_id, [attempt.sequence])
        return
    turn = ClientTurn(
        sequence_number=attempt.sequence,
        digest=digest_reply(outcome.content or " ".join(calls)),
        payload=[message] if len(message) > len(("role", "content")) else None,
    )
    client_turns.save_reply(connection, attempt.conversation_id, turn)


def _add_usage(connection: PgConnection, conversation_id: ConversationId, outcome: Outcome) -> None:
    """Count the reply's tokens. The model reports none for a stopped or failed reply."""
    if outcome.model is not None and outcome.tokens_in + outcome.tokens_out > 0:
        spent = Usage(
            tokens_in=outcome.tokens_in, tokens_out=outcome.tokens_out, model=outcome.model
        )
        usage.add_usage(connection, conversation_id, "reply", spent)


def _read_other_outcome(connection: PgConnection, attempt: ReplyAttempt) -> Outcome | None:
    """The outcome for followers if somebody else has closed this round."""
    LATE_WRITES.labels(kind="reply").inc()
    fields = {"conversation_id": attempt.conversation_id, "sequence": attempt.sequence}
    logger.warning("round.late", extra=fields)
    try:
        message = messages.get_message(connection, attempt.conversation_id, attempt.sequence)
    except NotFoundError:
        return outcomes.deleted()
    return outcomes.stored(message) if message.attempt == attempt else None
