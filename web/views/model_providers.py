"""The providers of models that an operator may choose, and what of it runs on this machine."""

from __future__ import annotations

from flask import Blueprint
from pydantic import Field

from shared.llm.known_providers import PROVIDERS, find_running
from shared.models.site_models import Protocol
from web.api.answers import Answer
from web.api.operation import operation
from web.process.context import web_context
from web.requests.callers import needs
from web.views.operations import refuse_others

blueprint = Blueprint("model_providers", __name__, url_prefix="/operations/models/providers")
blueprint.before_request(refuse_others)


class ProviderAnswer(Answer):
    name: str
    protocol: Protocol
    address: str | None
    prefix: str = Field(description="What litellm's names of its models begin with.")
    key_page: str = Field(description="Where an account finds its keys.")
    local: bool = Field(description="A server on this machine.")
    models: list[str] = Field(description="Of a server that runs on this machine now.")


class ProvidersAnswer(Answer):
    providers: list[ProviderAnswer]


@blueprint.get("")
@needs("operate")
@operation()
def list_providers() -> ProvidersAnswer:
    """List the known providers. A local site looks for servers at their usual ports: one second."""
    settings = web_context().services.settings
    is_local = settings.auth_mode == "local"
    running = find_running(PROVIDERS, settings.port) if is_local else {}
    return ProvidersAnswer(
        providers=[
            ProviderAnswer(
                name=provider.name,
                protocol=provider.protocol,
                address=provider.address,
                prefix=provider.prefix,
                key_page=provider.key_page,
                local=provider.is_local,
                models=list(running.get(provider.name, ())),
            )
            for provider in PROVIDERS
        ]
    )
