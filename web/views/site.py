"""The agents, the model in use, and what a client has to know of the site."""

from __future__ import annotations

from flask import Blueprint, g
from pydantic import Field

from shared.agents import list_agents
from shared.errors import DatabaseUnavailableError
from shared.llm import provider_of
from shared.settings import STAND_IN_MODEL, Settings
from shared.store import users
from web.api.answers import Answer, Page
from web.api.cursors import cut_page
from web.api.operation import operation
from web.fields.user_name import find_user_name
from web.process.context import transaction, web_context
from web.requests.callers import needs
from web.requests.forms import MAX_MESSAGE_CHARS
from web.requests.queries import Listing

blueprint = Blueprint("site", __name__)


class AgentAnswer(Answer):
    name: str
    title: str
    description: str


class AgentPage(Page):
    agents: list[AgentAnswer]


class OfferedAnswer(Answer):
    """A model that may be chosen."""

    name: str
    is_default: bool = Field(description="It answers where none was chosen.")
    stand_in: bool = Field(description="It is the built-in stand-in.")


class OfferedPage(Page):
    models: list[OfferedAnswer]


class StatusAnswer(Answer):
    model: str
    provider: str
    stand_in: bool = Field(description="No model is set: the stand-in answers.")
    operator: bool = Field(description="Whether the user operates the site.")
    memory_enabled: bool
    max_message_chars: int
    user_id: str
    user_name: str = Field(description="What the user is called: the account's name, or the id.")
    time_zone: str | None = Field(description="The user's time zone, as last sent.")


@blueprint.get("/agents")
@needs()
@operation()
def agents(query: Listing) -> AgentPage:
    """List the agents: who can answer, the default first."""
    entries = [
        AgentAnswer(name=agent.name, title=agent.title, description=agent.description)
        for agent in list_agents()
    ]
    names = [agent.name for agent in entries]
    page, after = cut_page(entries, query, lambda agent: (names.index(agent.name),))
    return AgentPage(agents=list(page), next_cursor=after)


@blueprint.get("/models")
@needs()
@operation()
def models(query: Listing) -> OfferedPage:
    """List the models that a conversation may choose, the default first."""
    settings = web_context().services.models.settings()
    entries = [
        OfferedAnswer(
            name=name,
            is_default=name == settings.chat_model,
            stand_in=name == STAND_IN_MODEL,
        )
        for name in settings.offered_models
    ]
    page, after = cut_page(entries, query, lambda model: (not model.is_default, model.name))
    return OfferedPage(models=list(page), next_cursor=after)


@blueprint.get("/status")
@needs()
@operation()
def status() -> StatusAnswer:
    """Show which model answers, the limits, and who is asking."""
    settings = web_context().services.models.settings()
    name, time_zone = _find_user(settings)
    return StatusAnswer(
        model=settings.chat_model,
        provider=provider_of(settings.chat_model, settings),
        stand_in=settings.chat_model == STAND_IN_MODEL,
        operator="operate" in g.caller.scopes,
        memory_enabled=settings.enable_memory,
        max_message_chars=MAX_MESSAGE_CHARS,
        user_id=g.user_id,
        user_name=name,
        time_zone=time_zone,
    )


def _find_user(settings: Settings) -> tuple[str, str | None]:
    """Name and time zone. While the database is down, the id stands for the name."""
    try:
        with transaction() as connection:
            name = find_user_name(connection, g.user_id, settings)
            return name, users.find_time_zone(connection, g.user_id)
    except DatabaseUnavailableError:
        return g.user_id, None
