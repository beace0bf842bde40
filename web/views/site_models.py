"""The models that operators set up on the page. A key comes in, and never goes out."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from flask import Blueprint, g
from pydantic import Field

from shared.access.audit import record
from shared.db import PgConnection
from shared.derivations.model_check import begin_check
from shared.errors import (
    ConflictError,
    KeyNeededError,
    NameTakenError,
)
from shared.llm.targets import environment_memory_model, place_of, place_of_config
from shared.models import Action, Thing
from shared.models.site_models import ModelConfig, Protocol, StoredModel, Trust
from shared.policy.model_addresses import MAX_NAME_CHARS
from shared.settings import Settings
from shared.store import request_limits, site_models
from web.api.answers import Page
from web.api.cursors import cut_page
from web.api.operation import operation
from web.api.patterns import ModelKey, ModelName
from web.fields.model_answers import (
    EnvironmentModelAnswer,
    LimitsAnswer,
    ModelAnswer,
    answer_environment_model,
    answer_model,
    tell_limits,
)
from web.fields.model_checks import check_key_stays, check_name, checked, seal_checked
from web.process.context import transaction, web_context
from web.requests.callers import needs
from web.requests.forms import WHOLE, StrictForm
from web.requests.queries import Listing
from web.views.operations import refuse_others

blueprint = Blueprint("site_models", __name__, url_prefix="/operations/models")
blueprint.before_request(refuse_others)

MODEL = "/<bigint:model_id>"
MAX_MODELS = 50
MAX_SERVED_CHARS = 200
MAX_TOKENS = 10_000_000

TRUST = Field(
    default=None,
    description="Whether its word about facts is taken. Null: as MEMORY_TRUST says.",
)
Tokens = Annotated[int, Field(gt=0, le=MAX_TOKENS), WHOLE]
Served = Annotated[ModelName, Field(max_length=MAX_SERVED_CHARS)]


class ModelForm(StrictForm):
    """A model."""

    name: ModelName = Field(min_length=1, max_length=MAX_NAME_CHARS, examples=["Qwen at home"])
    protocol: Protocol = "openai"
    address: str | None = Field(default=None, max_length=500)
    served_name: Served = Field(min_length=1, examples=["qwen2.5:7b"])
    api_key: ModelKey | None = None
    offered: bool = Field(default=True, description="Users may choose it for a conversation.")
    chat_default: bool = Field(default=False, description="It answers where none was chosen.")
    memory_default: bool = Field(default=False, description="It does memory's jobs.")
    context_tokens: Tokens | None = None
    max_tokens: Tokens | None = None
    trust: Trust | None = TRUST


class ModelChangeForm(StrictForm):
    """The fields to change. The others stay as they are; the name always does."""

    protocol: Protocol | None = None
    address: str | None = Field(default=None, max_length=500)
    served_name: Served | None = None
    api_key: ModelKey | None = Field(default=None, description="Empty takes the key away.")
    offered: bool | None = None
    chat_default: bool | None = None
    memory_default: bool | None = None
    context_tokens: Tokens | None = None
    max_tokens: Tokens | None = None
    trust: Trust | None = TRUST


class ModelPage(Page):
    models: list[ModelAnswer]
    environment: list[str] = Field(description="The models of LLM_MODEL and LLM_FALLBACKS.")
    environment_limits: dict[str, LimitsAnswer] = Field(
        description="Of the models of `environment` and MEMORY_MODEL, by name."
    )
    environment_memory: EnvironmentModelAnswer | None = Field(description="Null: the stand-in.")


@blueprint.get("")
@needs("operate")
@operation()
def list_models(query: Listing) -> ModelPage:
    """List the models that operators have set up, without their keys."""
    settings = web_context().services.models.settings()
    memory = environment_memory_model(settings)
    with transaction() as connection:
        entries = site_models.list_models(connection)
    page, after = cut_page(entries, query, lambda model: (model.config.name,))
    learned = settings.learned_limits
    names = dict.fromkeys((*settings.environment_models, *([memory] if memory else ())))
    return ModelPage(
        models=[answer_model(model) for model in page],
        environment=list(settings.environment_models),
        environment_limits={
            name: tell_limits(learned.at(place_of(name, settings))) for name in names
        },
        environment_memory=answer_environment_model(memory, settings) if memory else None,
        next_cursor=after,
    )


@blueprint.post("")
@needs("operate")
@operation(201, raises=(ConflictError, NameTakenError), once=True)
def add_model(form: ModelForm) -> tuple[ModelAnswer, int]:
    """Set up a model. All processes know it within seconds."""
    check_name(form.name, _settings())
    config = checked(
        ModelConfig(
            name=form.name.strip(),
            protocol=form.protocol,
            address=form.address,
            served_name=form.served_name.strip(),
            is_offered=form.offered,
            is_chat_default=form.chat_default,
            is_memory_default=form.memory_default,
            context_tokens=form.context_tokens,
            max_tokens=form.max_tokens,
            trust=form.trust,
        )
    )
    with transaction() as connection:
        site_models.lock_models(connection)
        if len(site_models.list_models(connection)) >= MAX_MODELS:
            raise ConflictError(f"There are {MAX_MODELS} models already. Remove one first.")
        model = site_models.add_model(connection, config, seal_checked(form.api_key, _settings()))
        _record(connection, "model.create", model.model_id)
    begin_check_of(model)
    return answer_model(model), 201


@blueprint.patch(MODEL)
@needs("operate")
@operation(raises=(KeyNeededError,))
def change_model(model_id: int, form: ModelChangeForm) -> ModelAnswer:
    """Change a model. A stored key is not sent to another address: it must be given again."""
    with transaction() as connection:
        before = site_models.get_model(connection, model_id)
        config = checked(_changed(before.config, form))
        check_key_stays(before, config, form.api_key)
        sealed = (
            before.sealed_key if form.api_key is None else seal_checked(form.api_key, _settings())
        )
        site_models.lock_models(connection)
        changed = site_models.change_model(connection, model_id, config, sealed)
        _record(connection, "model.change", model_id)
        request_limits.forget_limits(connection, config.name, but=place_of_config(config))
    begin_check_of(changed)
    return answer_model(changed)


@blueprint.delete(MODEL)
@needs("operate")
@operation(204)
def delete_model(model_id: int) -> None:
    """Remove a model. Where it was chosen, the default answers from now on."""
    with transaction() as connection:
        name = site_models.get_model(connection, model_id).config.name
        site_models.delete_model(connection, model_id)
        request_limits.forget_limits(connection, name)
        _record(connection, "model.delete", model_id)
    web_context().services.models.refresh()


def _changed(before: ModelConfig, form: ModelChangeForm) -> ModelConfig:
    field_names = {
        "offered": "is_offered",
        "chat_default": "is_chat_default",
        "memory_default": "is_memory_default",
    }
    may_be_null = {"address", "context_tokens", "max_tokens", "trust"}
    changes = {
        field_names.get(name, name): value
        for name, value in form.model_dump(exclude_unset=True, exclude={"api_key"}).items()
        if value is not None or name in may_be_null
    }
    return replace(before, **changes)


def _record(connection: PgConnection, action: Action, model_id: int) -> None:
    record(connection, action, g.user_id, Thing("model", str(model_id)))


def begin_check_of(model: StoredModel) -> None:
    """Examine a model that is new or changed, if it was not examined where it is now."""
    services = web_context().services
    services.models.refresh()
    begin_check(services, model.config.name)
    services.models.refresh()


def _settings() -> Settings:
    """The environment's: a test must not depend on the models that are set up already."""
    return web_context().services.settings
