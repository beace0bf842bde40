"""Resolve a model's name to its provider, the way there, litellm's name and the address."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Literal

from shared.llm.providers.litellm_setup import load_litellm
from shared.llm.request import ModelRequest
from shared.models.request_limits import ModelPlace
from shared.models.site_models import ModelConfig, SiteModel
from shared.settings import Settings

OFFLINE_PREFIX = "offline/"
NO_KEY = "none"  # servers that need no key accept any; litellm requires one
OLLAMA_PREFIXES = ("ollama/", "ollama_chat/")
# An entry as in litellm's list of models, without token limits: the server has its own.
OLLAMA_MODEL = {"litellm_provider": "ollama", "mode": "chat", "supports_response_schema": True}

#: A module of `shared.llm.providers`. All but litellm answer without its import.
Way = Literal["stand_in", "direct", "litellm"]


@dataclass(frozen=True, kw_only=True)
class Target:
    """One model that can be asked."""

    model: str  #: the name in the settings, which is also shown
    provider: str
    name: str  #: the name for litellm, or with `direct` for the server
    way: Way = "litellm"
    api_base: str | None = None
    api_key: str | None = field(default=None, repr=False)
    #: Of a model that an operator has set up: where the server sends us is not followed.
    follows_redirects: bool = True

    @property
    def answerer(self) -> str:
        """Whom an error names: the provider, or the server of a model that has one of its own."""
        return f"the server of {self.model}" if self.way == "direct" else self.provider


def provider_of(model: str, settings: Settings) -> str:
    """`openai` for `gpt-4o`, `offline` for the stand-in; `openai` for unknown names."""
    return _target(model, settings).provider


def server_of(model: str, settings: Settings) -> str | None:
    """An id for the capacity that calls to `model` share.

    The server at the address that was named for it, else the hosted model itself; None for the
    stand-in, whose calls share nothing.
    """
    if site_model := settings.find_site_model(model):
        return site_model.config.address or site_model.config.served_name
    if model.startswith(OFFLINE_PREFIX):
        return None
    return settings.llm_api_base or model


def environment_memory_model(settings: Settings) -> str | None:
    """The environment's model for memory. It does the work unless an operator has chosen another.

    None: it is the stand-in, or a model of the page.
    """
    name = settings.memory_model or settings.llm_model
    is_own = name.startswith(OFFLINE_PREFIX) or settings.find_site_model(name)
    return None if is_own else name


def place_of(model: str, settings: Settings) -> ModelPlace:
    """Under what is learned of a model: another address or name there makes it another place."""
    if site_model := settings.find_site_model(model):
        return place_of_config(site_model.config)
    return ModelPlace(name=model, server=_digest(settings.llm_api_base))


def place_of_config(config: ModelConfig) -> ModelPlace:
    parts = (config.protocol, config.address or "", config.served_name)
    return ModelPlace(name=config.name, server=_digest(" ".join(parts)))


def _digest(text: str) -> str:
    return hashlib.blake2s(text.encode(), digest_size=8).hexdigest()


def list_targets(request: ModelRequest, settings: Settings) -> tuple[Target, ...]:
    """The requested model first, then the fallbacks, without duplicates."""
    names = dict.fromkeys((request.model, *settings.llm_fallbacks))
    return tuple(_target(name, settings) for name in names)


def site_target(site_model: SiteModel) -> Target:
    """The way to a model that an operator has set up."""
    config = site_model.config
    if config.protocol == "litellm":
        return Target(
            model=config.name,
            provider=_hosting_provider(config.served_name),
            name=config.served_name,
            api_key=site_model.api_key,
        )
    return Target(
        model=config.name,
        provider="openai",
        name=config.served_name,
        way="direct",
        api_base=config.address,
        api_key=site_model.api_key or NO_KEY,
        follows_redirects=False,
    )


def _target(model: str, settings: Settings) -> Target:
    if site_model := settings.find_site_model(model):
        return site_target(site_model)
    if model.startswith(OFFLINE_PREFIX):
        return Target(model=model, provider="offline", name=model, way="stand_in")
    if settings.llm_api_base and not (
        model in settings.llm_fallbacks and model != settings.llm_model and _names_provider(model)
    ):
        return _own_server(model, settings)
    if model.startswith(OLLAMA_PREFIXES):
        # For unlisted models litellm would ask the server several times in each call.
        load_litellm().model_cost.setdefault(model, dict(OLLAMA_MODEL))
    return Target(model=model, provider=_hosting_provider(model), name=model)


def _own_server(model: str, settings: Settings) -> Target:
    """The server at `LLM_API_BASE`, which speaks OpenAI's protocol and has its own model names."""
    name = model.removeprefix("openai/")
    is_direct = settings.llm_api_client == "httpx"
    return Target(
        model=model,
        provider="openai",
        name=name if is_direct else f"openai/{name}",
        way="direct" if is_direct else "litellm",
        api_base=settings.llm_api_base,
        api_key=settings.llm_api_key.get_secret_value() or NO_KEY,
    )


def _hosting_provider(model: str) -> str:
    litellm = load_litellm()
    try:
        return str(litellm.get_llm_provider(model)[1])
    except litellm.BadRequestError:
        return "openai"


def _names_provider(model: str) -> bool:
    """Whether the name has a provider, as `mistral/…`. `openai/…` may mean our own server."""
    prefix, slash, _ = model.partition("/")
    return bool(slash) and prefix != "openai" and prefix in load_litellm().provider_list
