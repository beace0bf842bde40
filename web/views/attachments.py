"""Files for messages: uploaded first, then named by the message that takes them."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, Response, g, request
from pydantic import Field

from shared.attachments.reader import read_file
from shared.attachments.storing import check_unsent, remove_unsent, store_file
from shared.errors import (
    ConflictError,
    FileTypeError,
    QuotaUsedUpError,
    TooManyAtOnceError,
    UnreadableFileError,
)
from shared.models.attachments import Attachment, FileKind
from shared.store import attachments
from web.api.answers import Answer, Instant, Page
from web.api.cursors import cut_page
from web.api.operation import operation
from web.files.downloads import attachment_header
from web.process.context import transaction, web_context
from web.requests.callers import needs
from web.requests.queries import Listing, Query

blueprint = Blueprint("attachments", __name__, url_prefix="/attachments")

MAX_GIVEN_NAME_CHARS = 1_000
PATH = "/<uuid:attachment_id>"
#: For whoever opens a file in a tab of its own: nothing in it runs, loads or navigates.
LOCKED = "default-src 'none'; sandbox"
PLAIN = "text/plain"
TEXT_TYPE = f"{PLAIN}; charset=utf-8"
BINARY = "application/octet-stream"
#: An id always names the same bytes, and what is deleted is not to stay with a browser for long.
CACHE = "private, max-age=300, immutable"


class UploadQuery(Query):
    name: str = Field(
        min_length=1,
        max_length=MAX_GIVEN_NAME_CHARS,
        description="The file's name. Its type is found by its content.",
        examples=["notes.md"],
    )


class AttachmentAnswer(Answer):
    """A file."""

    attachment_id: str
    name: str
    kind: FileKind = Field(
        description="`text` (documents, too) and `pdf` are read as text; models see `image`."
    )
    media_type: str
    bytes: int
    width: int | None = Field(description="Of an image, in pixels.")
    height: int | None


class WaitingFile(AttachmentAnswer):
    """A file that no message has yet."""

    created_at: Instant = Field(description="It is deleted a day after this.")


class WaitingFiles(Page):
    attachments: list[WaitingFile]


@blueprint.get("")
@needs("memory:read")
@operation()
def list_waiting(query: Listing) -> WaitingFiles:
    """List the files that wait for a message, the oldest first."""
    with transaction() as connection:
        unsent = attachments.list_unsent(connection, g.user_id)
    files = [
        WaitingFile(**attachment_answer(attachment).model_dump(), created_at=attachment.created_at)
        for attachment in unsent
    ]
    page, after = cut_page(files, query, lambda file: (str(file.created_at), file.attachment_id))
    return WaitingFiles(attachments=list(page), next_cursor=after)


@blueprint.post("")
@needs("chat")
@operation(
    201,
    takes_file=True,
    raises=(FileTypeError, UnreadableFileError, QuotaUsedUpError, TooManyAtOnceError),
)
def add_attachment(query: UploadQuery) -> tuple[AttachmentAnswer, int]:
    """Upload a file for a message. The body is the file.

    Text in any encoding, PDF, documents of Office and OpenDocument, EPUB, RTF, HTML, e-mail, PNG,
    JPEG, GIF, WebP and HEIC are taken. Of images one picture is kept,
    without metadata and of at most 2,048 pixels a side. A file that no message takes within a day
    is deleted.
    """
    context = web_context()
    settings = context.services.settings
    request.max_content_length = settings.attachment_max_bytes
    with context.limits.uploads.slot(g.user_id):
        with transaction() as connection:
            check_unsent(connection, g.user_id)
        new = read_file(g.user_id, query.name, request.get_data(cache=False))
        with transaction() as connection:
            added = store_file(connection, g.user_id, new, settings)
    return attachment_answer(added), 201


@blueprint.get(PATH)
@needs("memory:read")
@operation(
    other_types={
        "image/png": "An image has its own type,",
        "image/jpeg": "",
        "text/plain": "text is plain,",
        BINARY: "and all else is bytes.",
    }
)
def read_attachment(attachment_id: UUID) -> Response:
    """Read a file. Only images are shown in place; all else is a download."""
    with transaction() as connection:
        attachment = attachments.get_attachment(connection, g.user_id, str(attachment_id))
        content = attachments.read_content(connection, attachment.attachment_id)
    response = Response(content, content_type=_served_type(attachment))
    disposition = "inline" if attachment.kind == "image" else "attachment"
    response.headers["Content-Disposition"] = attachment_header(attachment.name, disposition)
    response.headers["Content-Security-Policy"] = LOCKED
    response.headers["Cache-Control"] = CACHE
    return response


@blueprint.delete(PATH)
@needs("chat")
@operation(204, raises=(ConflictError,))
def delete_attachment(attachment_id: UUID) -> None:
    """Delete a file that no message has. One that was sent is deleted with its message."""
    with transaction() as connection:
        remove_unsent(connection, g.user_id, str(attachment_id))


def attachment_answer(file: Attachment) -> AttachmentAnswer:
    return AttachmentAnswer(
        attachment_id=file.attachment_id,
        name=file.name,
        kind=file.kind,
        media_type=file.media_type,
        bytes=file.byte_count,
        width=file.width,
        height=file.height,
    )


def _served_type(file: Attachment) -> str:
    if file.kind == "image":
        return file.media_type
    return TEXT_TYPE if file.media_type == PLAIN else BINARY
