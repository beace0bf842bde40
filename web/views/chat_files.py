"""One conversation as a file."""

from __future__ import annotations

from collections.abc import Generator
from datetime import UTC, datetime

from flask import Blueprint, Response, g
from pydantic import Field

from shared.models import ConversationId
from shared.store import conversations
from shared.user_data.export import export_conversation
from web.api.operation import operation
from web.files.conversation_files import MIMETYPES, FileFormat, file_name, writer_of
from web.files.downloads import stream_file
from web.pages.language import current_language
from web.process.context import transaction, web_context
from web.requests.callers import needs
from web.requests.queries import Query

blueprint = Blueprint("chat_files", __name__, url_prefix="/conversations")


class FileQuery(Query):
    format: FileFormat = Field(default="markdown", description="To read, or to import again.")


@blueprint.get("/<conversation:conversation_id>/export")
@needs("memory:read")
@operation(
    other_types={
        "text/markdown": "What was said, to read.",
        "application/json": "What was said, in the form of the whole export.",
    }
)
def export_chat(conversation_id: ConversationId, query: FileQuery) -> Response:
    """Export one chat as a file: what was said, without what is remembered.

    As JSON with its branches, as Markdown this one alone.
    """
    now = datetime.now(UTC)
    with transaction() as connection:
        conversation = conversations.get_conversation(connection, g.user_id, conversation_id)
    blocks = _blocks(conversation_id, query.format, now)
    return stream_file(blocks, MIMETYPES[query.format], file_name(conversation, query.format))


def _blocks(
    conversation_id: ConversationId, kind: FileFormat, now: datetime
) -> Generator[str, None, None]:
    context = web_context()
    with context.limits.exports.slot(g.user_id):
        write = writer_of(kind, now, current_language())
        yield from export_conversation(
            context.services, g.user_id, conversation_id, write, with_branches=kind == "json"
        )
