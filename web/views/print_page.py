"""One whole conversation on a page to be printed, or saved as PDF by the browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from flask import Blueprint, Response, g

from shared.models import ConversationId
from shared.user_data.export import Said, export_conversation
from web.files.conversation_files import speaker_of, title_of
from web.files.file_lines import describe_file
from web.pages.language import current_language
from web.pages.plain_pages import show_page
from web.process.context import web_context
from web.requests.callers import needs

blueprint = Blueprint("print_page", __name__)


@blueprint.get("/c/<conversation:conversation_id>/print")
@needs("memory:read")
def print_chat(conversation_id: ConversationId) -> Response:
    """Unlike the chat's own page it has all messages at once."""
    context = web_context()
    with context.limits.exports.slot(g.user_id):
        blocks = export_conversation(context.services, g.user_id, conversation_id, _write)
        title, left_out, *messages = [json.loads(line) for line in "".join(blocks).splitlines()]
    return show_page("chat", title=title, messages=messages, has_branches=left_out > 0)


def _write(chat: Iterator[Said], left_out: int) -> Iterator[str]:
    """JSON, a line for the title, one for how many branches are left out, one for each message."""
    conversation, messages = next(chat)
    yield json.dumps(title_of(conversation, current_language()))
    yield f"\n{left_out}"
    for text in messages:
        yield "\n" + json.dumps(_shown(json.loads(text)))


def _shown(message: dict[str, Any]) -> dict[str, object]:
    language = current_language()
    at = datetime.fromisoformat(message["created_at"])
    return {
        "role": message["role"],
        "speaker": speaker_of(message["role"], message["name"], language),
        "at": at.isoformat(),
        "at_text": f"{at:%Y-%m-%d %H:%M} UTC",
        "content": message["content"].strip(),
        "files": [
            describe_file(file, file["name"], language) for file in message["attachments"] or ()
        ],
    }
