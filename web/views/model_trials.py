"""Trials of models: one tiny question, the names at a server, and how well one checks facts."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from flask import Blueprint
from pydantic import Field

from shared.errors import KeyNeededError, ModelRefusedError, ModelTimeoutError, NotFoundError
from shared.llm.model_catalog import ready_model
from shared.llm.model_features import NO_FEATURES, Feature, find_features
from shared.llm.model_probe import Outcome, check_lookup, probe
from shared.llm.served_models import list_served
from shared.llm.targets import environment_model
from shared.llm.verification_probe import probe_verification
from shared.models.site_models import ModelConfig, Protocol, SiteModel
from shared.settings import Settings
from shared.settings.learned_limits import LearnedLimits
from shared.store import environment_models, site_models
from web.api.answers import Answer
from web.api.operation import operation
from web.api.patterns import ModelKey
from web.fields.model_checks import check_key, check_key_stays, checked
from web.process.context import transaction, web_context
from web.requests.callers import needs
from web.requests.forms import WHOLE, StrictForm
from web.requests.queries import MAX_ID
from web.views.operations import refuse_others
from web.views.site_models import (
    MODEL,
    EnvironmentModelAnswer,
    ModelAnswer,
    Served,
    answer_environment_model,
    answer_model,
)

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


@blueprint.post(f"{MODEL}/verification")
@needs("operate")
@operation(raises=(ModelRefusedError, ModelTimeoutError))
def verify_model(model_id: int) -> ModelAnswer:
    """Ask a model which of a few doubtful notes are true, and keep how many it tells right.

    This is one call, of at most a minute. Memory's model is asked about what it learned if it does
    this well enough.
    """
    with transaction() as connection:
        stored = site_models.get_model(connection, model_id)
    check_lookup(stored.config.address)
    model = ready_model(stored, _settings())
    models = web_context().services.models
    settings = _settings().with_limits(models.learned_limits).with_models([model])
    right = probe_verification(model.name, settings)
    with transaction() as connection:
        verified = site_models.set_verification(connection, stored, right)
    models.refresh()
    return answer_model(verified, models.learned_limits)


@blueprint.post("/environment/verification")
@needs("operate")
@operation(raises=(ModelRefusedError, ModelTimeoutError, NotFoundError))
def verify_environment_model() -> EnvironmentModelAnswer:
    """Check the environment's model for memory, as the models of the page are checked."""
    settings = web_context().services.models.settings()
    model = environment_model(settings)
    if model is None:
        raise NotFoundError("The environment names no model for memory.")
    right = probe_verification(model.name, settings)
    with transaction() as connection:
        environment_models.set_verification(connection, model, right)
    web_context().services.models.refresh()
    return answer_environment_model(model, settings, right)


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
