"""Deletion in both places: Postgres in one transaction, then Redis, which forgets by itself else.

A round that is open in what is deleted is asked to stop; what it writes finds no place.
"""

from __future__ import annotations

from collections.abc import Callable

from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_random

from shared.db import PgConnection
from shared.errors import DatabaseUnavailableError
from shared.models import ConversationId, UserId
from shared.rounds.reply_log import forget_replies
from shared.rounds.running import RoundRunner
from shared.services import Services
from shared.store import forgetting
from shared.store.forgetting import Deleted, RecentReply

TRIES = 3


def forget_conversation(
    services: Services, runner: RoundRunner, user_id: UserId, conversation_id: ConversationId
) -> None:
    """Raises `NotFoundError`, also when it is somebody else's."""
    deleted = _delete(
        services,
        lambda connection: forgetting.delete_conversation(connection, user_id, conversation_id),
    )
    _forget_in_redis(services, runner, deleted)


def forget_user(services: Services, runner: RoundRunner, user_id: UserId) -> int:
    """Everything about the user. Returns how many conversations there were."""
    deleted = _delete(services, lambda connection: forgetting.delete_user(connection, user_id))
    _forget_in_redis(services, runner, deleted)
    return len(deleted.conversation_ids)


def _delete(services: Services, delete: Callable[[PgConnection], Deleted]) -> Deleted:
    """Again when it met a closing round the other way round: Postgres ends one of the two."""
    for attempt in Retrying(
        retry=retry_if_exception_type(DatabaseUnavailableError),
        stop=stop_after_attempt(TRIES),
        wait=wait_random(0, 0.2),
        reraise=True,
    ):
        with attempt, services.database.transaction() as connection:
            deleted = delete(connection)
    return deleted


def _forget_in_redis(services: Services, runner: RoundRunner, deleted: Deleted) -> None:
    for reply in deleted.replies:
        if reply.fencing_token is not None:
            _ask_to_stop(runner, reply, reply.fencing_token)
    places = [(reply.conversation_id, reply.sequence) for reply in deleted.replies]
    forget_replies(services.redis, places)
    services.short_term.forget(*deleted.conversation_ids)


def _ask_to_stop(runner: RoundRunner, reply: RecentReply, fencing_token: int) -> None:
    live = runner.find_live(reply.conversation_id, reply.sequence)
    if live is not None:
        live.stop_asked.set()
    else:
        runner.reply_log(reply.conversation_id, reply.sequence).ask_to_stop(fencing_token)
