"""Stores a checked file until a message takes it."""

from __future__ import annotations

from shared.access import quotas
from shared.access.audit import record
from shared.db import PgConnection
from shared.errors import ConflictError, TooManyAtOnceError
from shared.models import Thing, UserId
from shared.models.attachments import Attachment, NewFile
from shared.settings import Settings
from shared.store import attachments, users

MAX_UNSENT = 50  # of one user
TOO_MANY = (
    f"{MAX_UNSENT} files wait to be sent. Send some, or remove them: GET /api/v1/attachments lists "
    "them, DELETE /api/v1/attachments/{id} removes one. Each goes a day after its upload."
)


def check_unsent(connection: PgConnection, user_id: UserId) -> None:
    """Raises `TooManyAtOnceError` if the user has too many unsent files.

    Call it before the work of reading a file, too.
    """
    if attachments.count_unsent(connection, user_id) >= MAX_UNSENT:
        raise TooManyAtOnceError(TOO_MANY)


def store_file(
    connection: PgConnection, user_id: UserId, new: NewFile, settings: Settings
) -> Attachment:
    """Store a file. Raises `TooManyAtOnceError` and `QuotaUsedUpError`."""
    users.ensure_user(connection, user_id)
    users.lock_user(connection, user_id)  # so that uploads at once are counted
    check_unsent(connection, user_id)
    added = attachments.add_attachment(connection, user_id, new)
    quotas.check_storage(connection, user_id, settings)
    return added


def remove_unsent(connection: PgConnection, user_id: UserId, attachment_id: str) -> None:
    """Delete an unsent file. Raises `NotFoundError`, and `ConflictError` if a message has it."""
    attachments.get_attachment(connection, user_id, attachment_id)
    if not attachments.delete_unsent(connection, user_id, attachment_id):
        raise ConflictError("A message has this file. It is deleted with the message.")
    record(connection, "attachment.delete", user_id, Thing("attachment", attachment_id))
