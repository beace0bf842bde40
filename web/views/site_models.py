"""The models that operators set up on the page. A key comes in, and never goes out."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from flask import Blueprint, g
from pydantic import Field

from shared.access.audit import record
from shared.db import PgConnection
from shared.errors import (
    ConflictError,
    KeyNeededError,
    NameTakenError,
    NotFoundError,
)
from shared.llm.model_catalog import ready_model
from shared.llm.model_probe import Outcome, check_lookup, probe
from shared.llm.served_models import list_served
from shared.models import Action, Thing
from shared.models.site_models import ModelConfig, Protocol, SiteModel, StoredModel
from shared.policy.model_addresses import MAX_NAME_CHARS
from shared.settings import Settings
from shared.store import site_models
from web.api.answers import Answer, Instant, Page
from web.api.cursors import cut_page
from web.api.operation import operation
from web.api.patterns import ModelKey, ModelName
from web.fields.model_checks import check_key, check_key_stays, check_name, checked, seal_checked
from web.process.context import transaction, web_context
from web.requests.callers import needs
from web.requests.forms import WHOLE, StrictForm
from web.requests.queries import MAX_ID, Listing
from web.views.operations import refuse_others

blueprint = Blueprint("site_models", __name__, url_prefix="/operations/models")
blueprint.before_request(refuse_others)

MODEL = "/<bigint:model_id>"
MAX_MODELS = 50
MAX_SERVED_CHARS = 200
MAX_TOKENS = 10_000_000

ModelId = Annotated[int, Field(ge=0, le=MAX_ID), WHOLE]
Tokens = Annotated[int, Field(gt=0, le=MAX_TOKENS), WHOLE]
Served = Annotated[ModelName, Field(max_length=MAX_SERVED_CHARS)]


class PlaceForm(StrictForm):
    """Where a model is."""

    protocol: Protocol = Field(
        default="openai",
        description=(
            "`openai`: a server at `address`. `litellm`: a provider of litellm's, named at the "
            "beginning of `served_name`."
        ),
    )
    address: str | None = Field(
        default=None, max_length=500, examples=["http://127.0.0.1:11434/v1"]
    )
    api_key: ModelKey | None = Field(default=None, description="Null: the stored one. Empty: none.")
    model_id: ModelId | None = Field(
        default=None, description="Of a model that is set up: its stored key is used."
    )


class TestForm(PlaceForm):
    """A model to try out."""

    served_name: Served


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


class ModelAnswer(Answer):
    model_id: int
    name: str
    protocol: Protocol
    address: str | None
    served_name: str
    has_key: bool = Field(description="A key is stored. It is in no answer.")
    offered: bool
    chat_default: bool
    memory_default: bool
    context_tokens: int | None
    max_tokens: int | None
    created_at: Instant
    changed_at: Instant


class ModelPage(Page):
    models: list[ModelAnswer]
    environment: list[str] = Field(description="The models of LLM_MODEL and LLM_FALLBACKS.")


class TestedAnswer(Answer):
    outcome: Outcome
    took_ms: int
    detail: str | None = Field(description="What the server says of it, without keys.")
    served: list[str] | None = Field(description="The server's own list of models, if it helps.")


class ServedAnswer(Answer):
    served: list[str] | None = Field(description="Null: the server has no list.")


@blueprint.get("")
@needs("operate")
@operation()
def list_models(query: Listing) -> ModelPage:
    """List the models that operators have set up, without their keys."""
    with transaction() as connection:
        entries = site_models.list_models(connection)
    page, after = cut_page(entries, query, lambda model: (model.config.name,))
    return ModelPage(
        models=[_answer(model) for model in page],
        environment=list(_settings().environment_models),
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
        )
    )
    with transaction() as connection:
        site_models.lock_models(connection)
        if len(site_models.list_models(connection)) >= MAX_MODELS:
            raise ConflictError(f"There are {MAX_MODELS} models already. Remove one first.")
        model = site_models.add_model(connection, config, seal_checked(form.api_key, _settings()))
        _record(connection, "model.create", model.model_id)
    web_context().services.models.refresh()
    return _answer(model), 201


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
    web_context().services.models.refresh()
    return _answer(changed)


@blueprint.delete(MODEL)
@needs("operate")
@operation(204)
def delete_model(model_id: int) -> None:
    """Remove a model. Where it was chosen, the default answers from now on."""
    with transaction() as connection:
        site_models.delete_model(connection, model_id)
        _record(connection, "model.delete", model_id)
    web_context().services.models.refresh()


@blueprint.post("/test")
@needs("operate")
@operation(raises=(KeyNeededError, NotFoundError))
def test_model(form: TestForm) -> TestedAnswer:
    """Send a model one tiny question, and tell what came of it. Takes 20 seconds at most."""
    result = probe(_model_at(form, form.served_name.strip()), _settings())
    return TestedAnswer(
        outcome=result.outcome,
        took_ms=result.took_ms,
        detail=result.detail,
        served=None if result.served is None else list(result.served),
    )


@blueprint.post("/served")
@needs("operate")
@operation(raises=(KeyNeededError, NotFoundError))
def list_served_models(form: PlaceForm) -> ServedAnswer:
    """List the names that the server at an address gives its models."""
    model = _model_at(form, "any")
    check_lookup(model.config.address)
    served = list_served(model)
    return ServedAnswer(served=None if served is None else list(served))


def _model_at(form: PlaceForm, served_name: str) -> SiteModel:
    """A model as the form says, with the stored key where the form has none."""
    config = checked(
        ModelConfig(
            name=served_name,
            protocol=form.protocol,
            address=form.address,
            served_name=served_name,
            is_offered=False,
            is_chat_default=False,
            is_memory_default=False,
            context_tokens=None,
            max_tokens=None,
        )
    )
    if form.api_key is not None or form.model_id is None:
        check_key(form.api_key)
        return SiteModel(config=config, api_key=form.api_key or None)
    with transaction() as connection:
        stored = site_models.get_model(connection, form.model_id)
    check_key_stays(stored, config, None)
    return replace(ready_model(stored, _settings()), config=config)


def _changed(before: ModelConfig, form: ModelChangeForm) -> ModelConfig:
    field_names = {
        "offered": "is_offered",
        "chat_default": "is_chat_default",
        "memory_default": "is_memory_default",
    }
    may_be_null = {"address", "context_tokens", "max_tokens"}
    changes = {
        field_names.get(name, name): value
        for name, value in form.model_dump(exclude_unset=True, exclude={"api_key"}).items()
        if value is not None or name in may_be_null
    }
    return replace(before, **changes)


def _record(connection: PgConnection, action: Action, model_id: int) -> None:
    record(connection, action, g.user_id, Thing("model", str(model_id)))


def _answer(stored: StoredModel) -> ModelAnswer:
    config = stored.config
    return ModelAnswer(
        model_id=stored.model_id,
        name=config.name,
        protocol=config.protocol,
        address=config.address,
        served_name=config.served_name,
        has_key=stored.sealed_key is not None,
        offered=config.is_offered,
        chat_default=config.is_chat_default,
        memory_default=config.is_memory_default,
        context_tokens=config.context_tokens,
        max_tokens=config.max_tokens,
        created_at=stored.created_at,
        changed_at=stored.changed_at,
    )


def _settings() -> Settings:
    """The environment's: a test must not depend on the models that are set up already."""
    return web_context().services.settings
