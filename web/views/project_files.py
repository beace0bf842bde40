"""The files of a project: those that every chat of it may use."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, g
from pydantic import Field

from shared.broker.sending import send_due
from shared.errors import FileGoneError, NotFoundError, QuotaUsedUpError, RoundInProgressError
from shared.events.announcements import announce_change
from shared.models import ConversationId
from shared.models.attachments import Attachment
from shared.rounds.notes import FILE_SIGN, keep_file
from shared.store import attachments, projects, users
from shared.user_data.erasure.messages import Selection, erase_selection
from web.api.answers import Instant, Page
from web.api.cursors import cut_page
from web.api.operation import operation
from web.process.context import transaction, web_context
from web.requests.callers import needs
from web.requests.forms import StrictForm
from web.requests.queries import Id, Listing
from web.views.attachments import AttachmentAnswer, attachment_answer

blueprint = Blueprint("project_files", __name__, url_prefix="/projects/<string:project>/files")


class ProjectFileForm(StrictForm):
    """A file that was uploaded, and that no message has yet."""

    attachment_id: Id


class ProjectFileAnswer(AttachmentAnswer):
    """A file of a project, and the message in the project's notes that has it."""

    conversation_id: str
    sequence: int
    created_at: Instant = Field(description="When it was uploaded.")


class ProjectFilePage(Page):
    files: list[ProjectFileAnswer]


@blueprint.get("")
@needs("memory:read")
@operation()
def list_project_files(project: str, query: Listing) -> ProjectFilePage:
    """List the files of a project, the oldest first."""
    files = [_answer(*pair) for pair in _list_pairs(project)]
    page, after = cut_page(files, query, lambda file: (file.sequence, file.attachment_id))
    return ProjectFilePage(files=list(page), next_cursor=after)


@blueprint.post("")
@needs("memory:read", "memory:write")
@operation(201, raises=(FileGoneError, QuotaUsedUpError, RoundInProgressError), once=True)
def add_project_file(project: str, form: ProjectFileForm) -> tuple[ProjectFileAnswer, int]:
    """Add an uploaded file to a project. It becomes a note there, which no model answers."""
    services = web_context().services
    with transaction() as connection:
        users.lock_user(connection, g.user_id)
        name = projects.spell(connection, g.user_id, project)
        note = keep_file(connection, g.user_id, form.attachment_id, services.settings, name)
        file = attachments.get_attachment(connection, g.user_id, form.attachment_id)
    send_due(services.broker, note.due)
    announce_change(services, g.user_id, note.conversation_id)
    return _answer(note.conversation_id, file), 201


@blueprint.delete("/<uuid:attachment_id>")
@needs("memory:write")
@operation(204, raises=(RoundInProgressError,))
def delete_project_file(project: str, attachment_id: UUID) -> None:
    """Delete a file of a project, with its note."""
    for conversation_id, file in _list_pairs(project):
        if file.attachment_id == str(attachment_id) and file.sequence_number is not None:
            selection = Selection(
                conversation_id=conversation_id, sequence=file.sequence_number, whole_round=True
            )
            erase_selection(web_context().services, g.user_id, selection)
            return
    raise NotFoundError("There is no such file in this project.")


def _list_pairs(project: str) -> list[tuple[ConversationId, Attachment]]:
    """Raises `NotFoundError` unless the user has the project."""
    with transaction() as connection:
        name = projects.spell(connection, g.user_id, project)
        return attachments.list_of_project(connection, g.user_id, name, FILE_SIGN)


def _answer(conversation_id: ConversationId, file: Attachment) -> ProjectFileAnswer:
    assert file.sequence_number is not None  # noqa: S101 - a message has it
    return ProjectFileAnswer(
        **attachment_answer(file).model_dump(),
        conversation_id=conversation_id,
        sequence=file.sequence_number,
        created_at=file.created_at,
    )
