"""Projects: conversations that belong together, with what all of them begin with."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from flask import Blueprint, g
from pydantic import Field

from shared.access.audit import record
from shared.db import PgConnection, enter_memory
from shared.errors import ConflictError, InvalidRequestError, NameTakenError
from shared.events.announcements import announce_change
from shared.models import ConversationId
from shared.models.library import PERSONAS
from shared.models.memory_scope import ALL_MEMORIES
from shared.models.projects import MAX_INSTRUCTIONS_CHARS, MAX_PROJECTS, Project, ProjectText
from shared.policy.project_names import find_same
from shared.policy.text import is_storable
from shared.store import library, projects, users
from shared.store.facts import memories
from web.api.answers import Answer, Instant, Page
from web.api.cursors import cut_page
from web.api.operation import operation
from web.api.patterns import ModelName
from web.fields.offered_models import check_offered
from web.fields.persona_ids import PersonaId
from web.fields.project_names import ProjectName
from web.process.context import transaction, web_context
from web.requests.callers import needs
from web.requests.forms import StrictForm
from web.requests.queries import Listing, Query

blueprint = Blueprint("projects", __name__, url_prefix="/projects")

PROJECT = "/<string:project>"

Instructions = Annotated[
    str,
    Field(
        max_length=MAX_INSTRUCTIONS_CHARS,
        json_schema_extra={"pattern": r"^[^\u0000]*$"},
        examples=["We sail in June. Answer in metres and knots."],
    ),
]
ABOUT_MODEL = "Its chats begin with it. Null: the persona's, or the site's default."
ABOUT_MEMORY = (
    "What is said in it is learned and recalled there alone, and nothing else is recalled there."
)
UNDECIDED = (
    "What is said in this project is kept inside. With chats=share its chats stay, and what is "
    "known from them is known everywhere."
)


class ProjectForm(StrictForm):
    """A project."""

    name: ProjectName
    instructions: Instructions = ""
    persona_id: PersonaId | None = Field(default=None, description="Its chats begin with it.")
    model: ModelName | None = Field(default=None, description=ABOUT_MODEL)
    own_memory: bool = Field(default=False, description=ABOUT_MEMORY)


class ProjectChangeForm(StrictForm):
    """The fields to change. The others stay as they are."""

    name: ProjectName | None = None
    instructions: Instructions | None = None
    persona_id: PersonaId | None = Field(default=None, description="Null: the site's agent.")
    model: ModelName | None = Field(default=None, description=ABOUT_MODEL)
    own_memory: bool | None = Field(
        default=None, description="It can be changed while nothing is in the project."
    )


class ProjectDeletion(Query):
    chats: Literal["share"] | None = Field(
        default=None,
        description="Needed if the project has a memory of its own, and chats: they stay, and "
        "what is known from them is known everywhere.",
    )


class ProjectAnswer(Answer):
    name: str
    instructions: str
    persona_id: int | None
    model: str | None
    own_memory: bool
    count: int = Field(description="Its chats that are not archived.")
    chat_count: int = Field(description="All its chats.")
    fact_count: int = Field(description="Current facts in its own memory.")
    created_at: Instant


class ProjectPage(Page):
    projects: list[ProjectAnswer]


@blueprint.get("")
@needs("memory:read")
@operation()
def list_projects(query: Listing) -> ProjectPage:
    """List the projects by name."""
    with transaction() as connection:
        enter_memory(connection, ALL_MEMORIES)
        entries = projects.list_projects(connection, g.user_id)
    page, after = cut_page(sorted(entries, key=_order), query, _order)
    return ProjectPage(projects=[_answer(entry) for entry in page], next_cursor=after)


@blueprint.post("")
@needs("memory:read", "memory:write")
@operation(201, raises=(ConflictError, NameTakenError), once=True)
def add_project(form: ProjectForm) -> tuple[ProjectAnswer, int]:
    """Begin a project."""
    text = ProjectText(
        name=form.name,
        instructions=_check_instructions(form.instructions),
        persona_id=form.persona_id,
        model=check_offered(form.model),
        own_memory=form.own_memory,
    )
    with transaction() as connection:
        users.ensure_user(connection, g.user_id)
        _lock(connection)
        if projects.count_projects(connection, g.user_id) >= MAX_PROJECTS:
            raise ConflictError(f"You have {MAX_PROJECTS} projects already. Delete one first.")
        _check_persona(connection, text)
        projects.add_project(connection, g.user_id, text)
        record(connection, "project.create", g.user_id)
        added = projects.get_project(connection, g.user_id, text.name)
    return _answer(added), 201


@blueprint.get(PROJECT)
@needs("memory:read")
@operation()
def get_project(project: str) -> ProjectAnswer:
    """Show a project."""
    with transaction() as connection:
        enter_memory(connection, ALL_MEMORIES)
        return _answer(projects.get_project(connection, g.user_id, project))


@blueprint.patch(PROJECT)
@needs("memory:read", "memory:write")
@operation(raises=(ConflictError, NameTakenError))
def change_project(project: str, form: ProjectChangeForm) -> ProjectAnswer:
    """Change a project. Its chats stay in it, and follow new instructions from now on.

    Persona and model count for new chats. Whether its memory is its own can be changed while
    nothing is in it.
    """
    model = check_offered(form.model)
    with transaction() as connection:
        _lock(connection)
        before = projects.get_project(connection, g.user_id, project).text
        text = _changed(before, form, model)
        _check_name(connection, before, text)
        _check_persona(connection, text)
        if text.own_memory != before.own_memory:
            _check_empty(connection, before.name)
        projects.change_project(connection, g.user_id, before.name, text)
        record(connection, "project.change", g.user_id)
        after = projects.get_project(connection, g.user_id, text.name)
        chats = projects.list_conversations(connection, g.user_id, text.name)
    _announce(chats)
    return _answer(after)


@blueprint.delete(PROJECT)
@needs("memory:write")
@operation(204, raises=(ConflictError,))
def delete_project(project: str, query: ProjectDeletion) -> None:
    """Delete a project. Its chats stay, and are in none any more.

    With a memory of its own, what it has learned goes with it, unless `chats=share` is set.
    """
    with transaction() as connection:
        _lock(connection)
        text = projects.get_text(connection, g.user_id, project)
        chats = projects.list_conversations(connection, g.user_id, text.name)
        if text.own_memory and chats and query.chats is None:
            raise ConflictError(UNDECIDED)
        if text.own_memory and query.chats == "share":
            memories.share_facts(connection, g.user_id, text.name)
        projects.empty_project(connection, g.user_id, text.name)
        projects.delete_project(connection, g.user_id, text.name)
        record(connection, "project.delete", g.user_id)
    _announce(chats)


def _lock(connection: PgConnection) -> None:
    """Keep chats from entering and leaving projects, and facts from being learned, until commit."""
    users.lock_user(connection, g.user_id)
    enter_memory(connection, ALL_MEMORIES)


def _changed(before: ProjectText, form: ProjectChangeForm, model: str | None) -> ProjectText:
    instructions = before.instructions
    if form.instructions is not None:
        instructions = _check_instructions(form.instructions)
    names = form.model_fields_set
    return replace(
        before,
        name=before.name if form.name is None else form.name,
        instructions=instructions,
        persona_id=form.persona_id if "persona_id" in names else before.persona_id,
        model=model if "model" in names else before.model,
        own_memory=before.own_memory if form.own_memory is None else form.own_memory,
    )


def _check_instructions(text: str) -> str:
    if not is_storable(text):
        raise InvalidRequestError("instructions: hold characters that cannot be stored.")
    return text.strip()


def _check_name(connection: PgConnection, before: ProjectText, text: ProjectText) -> None:
    names = {project.text.name for project in projects.list_projects(connection, g.user_id)}
    if find_same(text.name, names - {before.name}) is not None:
        raise NameTakenError


def _check_persona(connection: PgConnection, text: ProjectText) -> None:
    """Raises `NotFoundError` unless it is the user's."""
    if text.persona_id is not None:
        library.get_entry(connection, g.user_id, PERSONAS, text.persona_id)


def _check_empty(connection: PgConnection, name: str) -> None:
    is_used = projects.list_conversations(connection, g.user_id, name)
    if is_used or memories.has_learned(connection, g.user_id, name):
        raise ConflictError("Whether its memory is its own is chosen before anything is in it.")


def _announce(chats: list[ConversationId]) -> None:
    """One event for all: who follows reads lists anew, and a project may have thousands."""
    if chats:
        announce_change(web_context().services, g.user_id, chats[0])


def _order(project: Project) -> tuple[str, str]:
    return project.text.name.casefold(), project.text.name


def _answer(project: Project) -> ProjectAnswer:
    text = project.text
    return ProjectAnswer(
        name=text.name,
        instructions=text.instructions,
        persona_id=text.persona_id,
        model=text.model,
        own_memory=text.own_memory,
        count=project.count,
        chat_count=project.chat_count,
        fact_count=project.fact_count,
        created_at=project.created_at,
    )
