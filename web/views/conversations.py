"""Conversations: listed, changed, deleted, and what each has cost."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import datetime
from typing import Annotated

from flask import Blueprint, g
from pydantic import Field

from shared.access.audit import record
from shared.db import PgConnection
from shared.errors import ConflictError, InvalidRequestError
from shared.events.announcements import announce_change
from shared.facts.moves import move_conversation
from shared.models import Conversation, ConversationId, Mode, Purpose, Thing
from shared.policy.text import is_storable
from shared.store import conversation_lists, conversations, projects, usage, users
from shared.store.conversation_lists import ListedConversation, ListFilter
from shared.user_data.erasure.conversations import ConversationSelection, erase_conversation
from web.api.answers import Answer, Instant, Page
from web.api.cursors import Place, cut_page, next_cursor, read_cursor
from web.api.operation import operation
from web.api.patterns import MessageText, ModelName
from web.api.receipt_answers import ReceiptAnswer, receipt_answer
from web.fields.offered_models import check_offered
from web.fields.project_names import ProjectFilter, ProjectName
from web.process.context import transaction, web_context
from web.requests.callers import needs
from web.requests.forms import StrictForm
from web.requests.queries import DeletionWithReplies, Flag, Listing

blueprint = Blueprint("conversations", __name__, url_prefix="/conversations")

CONVERSATION = "/<conversation:conversation_id>"
MAX_TITLE_CHARS = 200


class ConversationsQuery(Listing):
    archived: Flag = Field(
        default=False, description="The archived ones, instead of those that are not."
    )
    pinned: Flag = Field(default=False, description="The pinned ones alone.")
    project: ProjectFilter | None = Field(
        default=None, description="Those in this project; if empty, those in none."
    )


class UsageQuery(Listing):
    DEFAULT = 100


Title = Annotated[MessageText, Field(max_length=MAX_TITLE_CHARS, examples=["Lisbon"])]


class ChangeForm(StrictForm):
    """The fields to change. Null takes the title away, or takes it out of its project."""

    title: Title | None = None
    mode: Mode | None = None
    model: ModelName | None = Field(default=None, description="Null: the site's default.")
    pinned: bool | None = None
    archived: bool | None = None
    project: ProjectName | None = Field(
        default=None, description="The name of a project. What moves along: `GET …/move`."
    )


class ConversationAnswer(Answer):
    conversation_id: str
    chat_id: str = Field(description="The same for all branches of a chat: the id of the first.")
    title: str | None
    agent: str
    mode: Mode
    last_sequence: int = Field(description="Of the last reply that was closed; -1 before it.")
    created_at: Instant
    updated_at: Instant
    branched_from: str | None = Field(
        default=None, description="The conversation that it shares its beginning with."
    )
    branched_at: int | None = Field(
        default=None, description="The first message that is not shared."
    )
    pinned: bool = Field(description="The user wants it before all others.")
    persona_id: int | None = Field(description="The persona that answers in place of the agent.")
    model: str | None = Field(
        description="The chosen model. While it is not offered, the site's default answers."
    )
    archived: bool = Field(description="It is not in the list, until something new is said in it.")
    project: str | None = Field(description="The name of the project that it is in.")


class ListedAnswer(ConversationAnswer):
    preview: str = Field(description="The beginning of its first message.")


class ConversationPage(Page):
    conversations: list[ListedAnswer]


class ChangedAnswer(Answer):
    conversation_id: str
    title: str | None
    mode: Mode
    model: str | None
    pinned: bool
    archived: bool
    project: str | None


class UsageAnswer(Answer):
    """All calls of one purpose to one model."""

    purpose: Purpose
    model: str
    calls: int
    tokens_in: int
    tokens_out: int


class UsagePage(Page):
    usage: list[UsageAnswer]


@blueprint.get("")
@needs("memory:read")
@operation()
def list_conversations(query: ConversationsQuery) -> ConversationPage:
    """List chats, newest activity first, without the archived ones.

    Of a chat with branches it is the branch that was active last.
    """
    place = read_cursor(query)
    with transaction() as connection:
        entries = conversation_lists.list_conversations(
            connection,
            g.user_id,
            only=ListFilter(
                archived=query.archived,
                pinned=query.pinned,
                project=_spell(connection, query.project),
            ),
            limit=query.size + 1,
            before=(datetime.fromisoformat(place[0]), place[1]) if place else None,
        )
    return ConversationPage(
        conversations=[listed_answer(listed) for listed in entries[: query.size]],
        next_cursor=next_cursor(entries, query, _place),
    )


@blueprint.patch(CONVERSATION)
@needs("memory:write")
@operation(raises=(ConflictError,))
def change_conversation(conversation_id: ConversationId, form: ChangeForm) -> ChangedAnswer:
    """Rename, pin or archive a chat with all its branches, or change its mode, model or project.

    Fields that are not named stay as they are.
    """
    title, model = _check_title(form.title), check_offered(form.model)
    with transaction() as connection:
        users.lock_user(connection, g.user_id)
        branch_ids = conversations.lock_chat(connection, g.user_id, conversation_id)
        before = conversations.get_conversation(connection, g.user_id, conversation_id)
        _check_mode(before.mode, form.mode)
        changed = replace(
            before,
            title=title if "title" in form.model_fields_set else before.title,
            mode=form.mode or before.mode,
            model=model if "model" in form.model_fields_set else before.model,
            is_pinned=before.is_pinned if form.pinned is None else form.pinned,
            is_archived=before.is_archived if form.archived is None else form.archived,
        )
        if "project" in form.model_fields_set:
            changed = move_conversation(connection, changed, form.project)
        conversations.change_conversation(connection, changed)
        thing = Thing("conversation", conversation_id)
        record(connection, "conversation.change", g.user_id, thing)
    for branch_id in branch_ids:
        announce_change(web_context().services, g.user_id, branch_id)
    return ChangedAnswer(
        conversation_id=conversation_id,
        title=changed.title,
        mode=changed.mode,
        model=changed.model,
        pinned=changed.is_pinned,
        archived=changed.is_archived,
        project=changed.project,
    )


@blueprint.delete(CONVERSATION)
@needs("memory:write")
@operation(raises=(ConflictError,))
def delete_conversation(
    conversation_id: ConversationId, query: DeletionWithReplies
) -> ReceiptAnswer:
    """Delete a chat with all its branches.

    Its messages, summaries and episodes go, too. Facts that were learned from it stay, and so do
    replies of other chats that repeat what was said in it, unless `with_replies` is set.
    """
    context = web_context()
    selection = ConversationSelection(
        conversation_id=conversation_id, with_replies=query.with_replies
    )
    receipt = erase_conversation(
        context.services, context.runner, g.user_id, selection, dry_run=query.dry_run
    )
    return receipt_answer(receipt)


@blueprint.get(f"{CONVERSATION}/usage")
@needs("memory:read")
@operation()
def list_usage(conversation_id: ConversationId, query: UsageQuery) -> UsagePage:
    """List calls and tokens by purpose and model: what a conversation has cost."""
    with transaction() as connection:
        conversations.get_conversation(connection, g.user_id, conversation_id)
        totals = usage.list_usage(connection, conversation_id)
    page, after = cut_page(totals, query, lambda total: (total.purpose, total.model))
    return UsagePage(usage=[UsageAnswer(**asdict(total)) for total in page], next_cursor=after)


def conversation_fields(conversation: Conversation) -> dict[str, object]:
    return {
        "conversation_id": conversation.conversation_id,
        "chat_id": conversation.chat_id,
        "title": conversation.title,
        "agent": conversation.agent,
        "mode": conversation.mode,
        "model": conversation.model,
        "persona_id": conversation.persona_id,
        "last_sequence": conversation.last_sequence,
        "created_at": conversation.created_at,
        "updated_at": conversation.updated_at,
        "branched_from": conversation.branched_from,
        "branched_at": conversation.branched_at,
        "pinned": conversation.is_pinned,
        "archived": conversation.is_archived,
        "project": conversation.project,
    }


def listed_answer(listed: ListedConversation) -> ListedAnswer:
    fields = conversation_fields(listed.conversation)
    return ListedAnswer.model_validate(fields | {"preview": listed.preview})


def _spell(connection: PgConnection, name: str | None) -> str | None:
    """The name as the user's project has it, if there is one."""
    text = projects.find_text(connection, g.user_id, name) if name else None
    return text.name if text else name


def _place(listed: ListedConversation) -> Place:
    conversation = listed.conversation
    return conversation.updated_at.isoformat(), conversation.conversation_id


def _check_mode(before: Mode, mode: Mode | None) -> None:
    """The mode `off` (off the record) is chosen at the start and cannot be changed."""
    if mode not in {None, before} and "off" in {before, mode}:
        raise ConflictError("Off the record is chosen when a conversation begins.")


def _check_title(title: str | None) -> str | None:
    if title is None:
        return None
    if not title.strip() or not is_storable(title):
        raise InvalidRequestError("title: is empty, or holds characters that cannot be stored.")
    return title.strip()
