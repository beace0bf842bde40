"""The agents, the model in use, and what a client has to know of the site."""

from __future__ import annotations

from flask import Blueprint, g
from pydantic import Field

from shared.agents import list_agents
from shared.errors import DatabaseUnavailableError
from shared.llm import provider_of
from shared.settings import STAND_IN_MODEL
from shared.store import users
from web.api.answers import Answer, Page
from web.api.cursors import cut_page
from web.api.operation import operation
from web.api.queries import Listing
from web.callers import needs
from web.context import transaction, web_context

blueprint = Blueprint("site", __name__, url_prefix="/api")


class AgentAnswer(Answer):
    name: str
    title: str
    description: str


class AgentPage(Page):
    agents: list[AgentAnswer]


class StatusAnswer(Answer):
    model: str
    provider: str
    stand_in: bool = Field(description="No model is set: the stand-in answers.")
    memory_enabled: bool
    max_message_chars: int
    user_id: str
    time_zone: str | None = Field(description="The user's time zone, as last sent.")


@blueprint.get("/agents")
@needs()
@operation()
def agents(query: Listing) -> AgentPage:
    """List the agents: who can answer."""
    found = [
        AgentAnswer(name=agent.name, title=agent.title, description=agent.description)
        for agent in list_agents()
    ]
    page, after = cut_page(found, query, lambda agent: (agent.name,))
    return AgentPage(agents=list(page), next_cursor=after)


@blueprint.get("/status")
@needs()
@operation()
def status() -> StatusAnswer:
    """Show which model answers, the limits, and who is asking."""
    settings = web_context().services.settings
    return StatusAnswer(
        model=settings.llm_model,
        provider=provider_of(settings.llm_model),
        stand_in=settings.llm_model == STAND_IN_MODEL,
        memory_enabled=settings.enable_memory,
        max_message_chars=settings.max_message_chars,
        user_id=g.user_id,
        time_zone=_find_time_zone(),
    )


def _find_time_zone() -> str | None:
    """None also while the database is down."""
    try:
        with transaction() as connection:
            return users.find_time_zone(connection, g.user_id)
    except DatabaseUnavailableError:
        return None
