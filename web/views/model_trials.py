"""Trials of models: one tiny question, the names at a server, and the examination about facts."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from flask import Blueprint
from pydantic import Field

from shared.broker.sending import send_check
from shared.errors import KeyNeededError, NotFoundError
from shared.llm.model_catalog import ready_model
from shared.llm.model_features import NO_FEATURES, Feature, find_features
from shared.llm.model_probe import Outcome, check_lookup, probe
from shared.llm.served_models import list_served
from shared.llm.targets import environment_memory_model, place_of
from shared.models.site_models import ModelConfig, Protocol, SiteModel
from shared.prompts import load_prompt
from shared.settings import Settings
from shared.settings.learned_limits import LearnedLimits
from shared.store import examinations, site_models
from web.api.answers import Answer
from web.api.operation import operation
from web.api.patterns import ModelKey
from web.fields.model_answers import (
    EnvironmentModelAnswer,
    ModelAnswer,
    answer_environment_model,
    answer_model,
)
from web.fields.model_checks import check_key, check_key_stays, checked
from web.process.context import transaction, web_context
from web.requests.callers import needs
from web.requests.forms import WHOLE, StrictForm
from web.requests.queries import MAX_ID
from web.views.operations import refuse_others
from web.views.site_models import MODEL, Served

blueprint = Blueprint("model_trials", __name__, url_prefix="/operations/models")
blueprint.before_request(refuse_others)

ModelId = Annotated[int, Field(ge=0, le=MAX_ID), WHOLE]


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


class ServedForm(PlaceForm):
    """A place whose models are listed."""

    prefix: str = Field(
        default="", max_length=100, description="What litellm's names of its models begin with."
    )


class TestedAnswer(Answer):
    outcome: Outcome
    took_ms: int
    detail: str | None = Field(description="What the server says of it, without keys.")
    served: list[str] | None = Field(description="The server's own list of models, if it helps.")
    features: list[Feature] = Field(description="What it takes, if it works.")
    context_tokens: int | None = Field(description="How many tokens it takes. Null: not known.")


class ServedAnswer(Answer):
    served: list[str] | None = Field(description="Null: the server has no list.")


@blueprint.post(f"{MODEL}/examination")
@needs("operate")
@operation(202)
def examine_model(model_id: int) -> tuple[ModelAnswer, int]:
    """Examine a model anew: a job puts short notes to it, in pauses between replies.

    `examination` says how far it is, and how it did.
    """
    with transaction() as connection:
        stored = site_models.get_model(connection, model_id)
    check_lookup(stored.config.address)
    _restart(stored.config.name)
    return answer_model(stored), 202


@blueprint.post("/environment/examination")
@needs("operate")
@operation(202, raises=(NotFoundError,))
def examine_environment_model() -> tuple[EnvironmentModelAnswer, int]:
    """Examine the environment's model for memory anew, as the models of the page."""
    settings = web_context().services.models.settings()
    model = environment_memory_model(settings)
    if model is None:
        raise NotFoundError("The environment names no model for memory.")
    _restart(model)
    return answer_environment_model(model, web_context().services.models.settings()), 202


def _restart(model: str) -> None:
    services = web_context().services
    place = place_of(model, services.models.settings())
    with transaction() as connection:
        examinations.restart_examination(connection, place, load_prompt("facts").version)
    send_check(services.broker)
    services.models.refresh()


@blueprint.post("/test")
@needs("operate")
@operation(raises=(KeyNeededError, NotFoundError))
def test_model(form: TestForm) -> TestedAnswer:
    """Send a model tiny questions, and tell what came of them. Takes 35 seconds at most.

    What was learned of its requests is forgotten, and is learned anew.
    """
    model, models = _model_at(form, form.served_name.strip()), web_context().services.models
    learned = LearnedLimits()  # of a model that is not set up yet
    if form.model_id is not None:
        models.forget_limits(model.name)
        learned = models.learned_limits
    result = probe(model, _settings().with_limits(learned))
    features = find_features(model) if result.outcome == "works" else NO_FEATURES
    return TestedAnswer(
        outcome=result.outcome,
        took_ms=result.took_ms,
        detail=result.detail,
        served=None if result.served is None else list(result.served),
        features=list(features.names),
        context_tokens=features.context_tokens,
    )


@blueprint.post("/served")
@needs("operate")
@operation(raises=(KeyNeededError, NotFoundError))
def list_served_models(form: ServedForm) -> ServedAnswer:
    """List the names that the server at an address, or litellm for a provider, gives its models."""
    model = _model_at(form, f"{form.prefix}any")
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
    check_key(form.api_key)
    if form.model_id is None:
        return SiteModel(config=config, api_key=form.api_key or None)
    with transaction() as connection:
        stored = site_models.get_model(connection, form.model_id)
    config = replace(config, name=stored.config.name)
    if form.api_key is not None:
        return SiteModel(config=config, api_key=form.api_key or None)
    check_key_stays(stored, config, None)
    return replace(ready_model(stored, _settings()), config=config)


def _settings() -> Settings:
    """The environment's: a test must not depend on the models that are set up already."""
    return web_context().services.settings
