"""A chat as a link shows it, to anybody: its title, what was said, and the names of files.

There is no user in these requests. A link that is revoked, expired or was never made, and one whose
chat is deleted or whose account is disabled, are answered alike.
"""

from __future__ import annotations

import time

from flask import Blueprint, Response, request

from shared.access.shares import open_share
from shared.errors import NotFoundError
from shared.models import SharedMessage
from shared.store import conversations, shares
from web.files.conversation_files import title_of
from web.files.file_lines import describe_file
from web.pages.language import current_language
from web.pages.markdown_html import render_markdown, show_as_written
from web.pages.plain_pages import show_page
from web.pages.texts import read_plain_texts
from web.process.context import web_context
from web.requests.client_address import client_network
from web.requests.queries import MAX_NUMBER

blueprint = Blueprint("shared_page", __name__)

# Of one page, whose next one a link leads to.
PAGE_MESSAGES = 100
PAGE_CHARS = 100_000
#: Seconds of the processor. What is said in a chat may be made to take long.
MARKDOWN_S = 1.0
READS_PER_ADDRESS = 300  # in the time that `Attempts` counts over
HEADERS = {
    # No script, no form, and nothing from elsewhere.
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; "
        "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Robots-Tag": "noindex, nofollow, noarchive",
    "Cache-Control": "no-store, private",
}


@blueprint.after_request
def add_headers(response: Response) -> Response:
    """Also to an answer that there is nothing."""
    response.headers.update(HEADERS)
    return response


@blueprint.get("/s/<token>")
def show(token: str) -> Response:
    """Raises `NotFoundError`, always the same, and `TooManyAttemptsError`."""
    context = web_context()
    settings = context.services.settings
    address = client_network(request, settings)
    context.attempts.count("shared page", address, READS_PER_ADDRESS)
    page = _find_page(token) if settings.may_share else None
    if page is None:
        raise NotFoundError("There is nothing here.")
    return page


def _find_page(token: str) -> Response | None:
    context = web_context()
    with context.services.database.transaction() as connection:
        share = open_share(connection, token)
    if share is None:
        return None
    after = min(request.args.get("after", -1, type=int), MAX_NUMBER)
    with context.limits.shared_pages.slot(share.user_id):
        with context.services.database.transaction(user=share.user_id) as connection:
            conversation = conversations.find_any_conversation(connection, share.conversation_id)
            messages = shares.list_shown(connection, share, after=after, limit=PAGE_MESSAGES + 1)
        if conversation is None:  # it was deleted just now
            return None
        page = _cut(messages)
        return show_page(
            "shared",
            title=title_of(conversation, current_language()),
            shared_on=f"{share.created_at:%Y-%m-%d}",
            messages=_draw(page),
            is_first=after < 0,
            next_after=page[-1].sequence_number if len(page) < len(messages) else None,
        )


def _cut(messages: list[SharedMessage]) -> list[SharedMessage]:
    """Choose the messages that fit on a page, but at least one."""
    page: list[SharedMessage] = []
    chars = 0
    for message in messages[:PAGE_MESSAGES]:
        chars += len(message.content)
        if page and chars > PAGE_CHARS:
            break
        page.append(message)
    return page


def _draw(page: list[SharedMessage]) -> list[dict[str, object]]:
    """Draw replies as Markdown until that took `MARKDOWN_S` seconds, and the rest as text."""
    until = time.thread_time() + MARKDOWN_S
    return [_shown(message, is_late=time.thread_time() >= until) for message in page]


def _shown(message: SharedMessage, *, is_late: bool) -> dict[str, object]:
    language = current_language()
    texts = read_plain_texts(language)
    text = message.content.strip()
    content: str = text
    if message.role == "assistant":
        label = texts["chat.table"]
        content = show_as_written(text) if is_late else render_markdown(text, label)
    return {
        "role": message.role,
        "speaker": texts[f"shared.{message.role}"],
        "content": content,
        "files": [describe_file(file, file["name"], language) for file in message.files],
    }
