"""Table `responses`: replies by the ids of OpenAI's Responses API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg2.extras import Json

from shared.db import PgConnection, execute, fetch_row
from shared.errors import NotFoundError
from shared.models import ConversationId, UserId
from shared.store.rows import read_conversation_id


@dataclass(frozen=True, kw_only=True)
class StoredResponse:
    """A row of `responses`."""

    response_id: str
    conversation_id: ConversationId
    #: Of the reply.
    sequence: int
    #: The fields of the request that each answer repeats.
    request: Mapping[str, Any]
    created_at: datetime


def add_response(connection: PgConnection, user_id: UserId, new: StoredResponse) -> None:
    execute(
        connection,
        """
        INSERT INTO responses
            (response_id, user_id, conversation_id, sequence_number, request, created_at)
        VALUES (%(response_id)s, %(user_id)s, %(conversation_id)s, %(sequence)s, %(request)s,
                %(created_at)s)
        """,
        response_id=new.response_id,
        user_id=user_id,
        conversation_id=new.conversation_id,
        sequence=new.sequence,
        request=Json(dict(new.request)),
        created_at=new.created_at,
    )


def get_response(connection: PgConnection, user_id: UserId, response_id: str) -> StoredResponse:
    """The stored response. Raises `NotFoundError`, also when it is somebody else's."""
    row = fetch_row(
        connection,
        """
        SELECT * FROM responses
        WHERE response_id = %(response_id)s AND user_id = %(user_id)s
        """,
        response_id=response_id,
        user_id=user_id,
    )
    if row is None:
        raise NotFoundError("There is no such response.")
    return StoredResponse(
        response_id=row["response_id"],
        conversation_id=read_conversation_id(row),
        sequence=row["sequence_number"],
        request=row["request"],
        created_at=row["created_at"],
    )


def delete_response(connection: PgConnection, user_id: UserId, response_id: str) -> None:
    """Delete a response, and keep its message. Raises `NotFoundError`, as `get_response` does."""
    touched = execute(
        connection,
        "DELETE FROM responses WHERE response_id = %(response_id)s AND user_id = %(user_id)s",
        response_id=response_id,
        user_id=user_id,
    )
    if touched == 0:
        raise NotFoundError("There is no such response.")
