"""Messages with files, through the product's own upload and opening."""

from __future__ import annotations

from dataclasses import replace

from shared.attachments.storing import store_file
from shared.db import Row, fetch_rows
from shared.models import ConversationId, Mode, OpenRound, UserId
from shared.rounds.opening import open_round
from shared.services import Services
from tests.integration.attachments.reading import read_file
from tests.integration.conversing import USER, Conversing
from tests.services import as_owner


def attach(
    product: Services,
    content: str | bytes,
    *,
    name: str = "report.txt",
    message_text: str = "Read this.",
    mode: Mode = "active",
    user_id: UserId = USER,
) -> OpenRound:
    """A round of a new conversation, whose message has this file."""
    conversing = Conversing(product, user_id=user_id)
    with product.database.transaction(user=user_id) as connection:
        new = read_file(name, content.encode() if isinstance(content, str) else content)
        file = store_file(connection, user_id, new, product.settings)
        message = replace(
            conversing.new_message(message_text), mode=mode, attachments=(file.attachment_id,)
        )
        current_round = open_round(connection, message, product.settings)
    conversing.close(current_round)
    return current_round


def list_passages(product: Services, conversation_id: ConversationId | None = None) -> list[Row]:
    with as_owner(product) as connection:
        return fetch_rows(
            connection,
            """
            SELECT p.* FROM file_passages p JOIN attachments USING (attachment_id)
            WHERE %(id)s::uuid IS NULL OR conversation_id = %(id)s::uuid
            ORDER BY conversation_id, p.attachment_id, number
            """,
            id=conversation_id,
        )
