"""Everything about the user: deleted, or exported as a file."""

from __future__ import annotations

from collections.abc import Generator
from datetime import UTC, datetime

from flask import Blueprint, Response, g
from pydantic import Field

from shared.errors import ForbiddenError
from shared.store import users
from shared.user_data.erasure.conversations import erase_user
from shared.user_data.export import export_user
from web.api.answers import Answer
from web.api.operation import operation
from web.api.receipt_answers import ReceiptAnswer, receipt_answer
from web.fields.user_name import find_user_name
from web.files.downloads import stream_file
from web.process.context import transaction, web_context
from web.requests.callers import needs
from web.requests.forms import StrictForm, check_written
from web.requests.queries import DryRun

MAX_INSTRUCTIONS = 1000

blueprint = Blueprint("me", __name__)


class DeleteForm(StrictForm):
    """`confirm` is the user's own id or name: nobody sends that by mistake."""

    confirm: str


class InstructionsForm(StrictForm):
    text: str = Field(max_length=MAX_INSTRUCTIONS)


class InstructionsAnswer(Answer):
    text: str = Field(description="In the user's own words; empty: nothing in particular.")


@blueprint.delete("/me")
@needs("memory:write")
@operation()
def delete_me(form: DeleteForm, query: DryRun) -> ReceiptAnswer:
    """Delete everything about the user, in every table and in Redis."""
    context = web_context()
    with transaction() as connection:
        name = find_user_name(connection, g.user_id, context.services.settings)
    if form.confirm not in {g.user_id, name}:
        raise ForbiddenError("confirm: must be your user id or your name.")
    receipt = erase_user(context.services, context.runner, g.user_id, dry_run=query.dry_run)
    answer = receipt_answer(receipt)
    return answer.model_copy(update={"conversations": receipt.counts.conversations})


@blueprint.get("/me/memory-instructions")
@needs("memory:read")
@operation()
def memory_instructions() -> InstructionsAnswer:
    """Show what the user wants memory to note as facts."""
    with transaction() as connection:
        preferences = users.find_preferences(connection, g.user_id)
    return InstructionsAnswer(text=preferences.memory_instructions)


@blueprint.put("/me/memory-instructions")
@needs("memory:write")
@operation()
def set_memory_instructions(form: InstructionsForm) -> InstructionsAnswer:
    """Set what the user wants memory to note as facts, from the next message on."""
    text = check_written("text", form.text) if form.text.strip() else ""
    with transaction() as connection:
        users.keep_memory_instructions(connection, g.user_id, text)
    return InstructionsAnswer(text=text)


@blueprint.get("/export")
@needs("memory:read")
@operation(other_types={"application/json": "The whole export, as `docs/operations.md` says."})
def export() -> Response:
    """Export everything about the user, as a stream.

    After an error the JSON is cut off, so that it is not valid.
    """
    now = datetime.now(UTC)
    return stream_file(_export_blocks(now), "application/json", f"throughline-{now:%Y-%m-%d}.json")


def _export_blocks(now: datetime) -> Generator[str, None, None]:
    with web_context().limits.exports.slot(g.user_id):
        yield from export_user(web_context().services, g.user_id, now)
