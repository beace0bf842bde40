"""Resolve a model's name to its provider, litellm's name and the address."""

from __future__ import annotations

from dataclasses import dataclass

from shared.llm.litellm_setup import load_litellm
from shared.llm.request import ModelRequest
from shared.settings import Settings

OFFLINE_PREFIX = "offline/"
OLLAMA_PREFIXES = ("ollama/", "ollama_chat/")
# An entry as in litellm's list of models, without token limits: the server has its own.
OLLAMA_MODEL = {"litellm_provider": "ollama", "mode": "chat", "supports_response_schema": True}


@dataclass(frozen=True, kw_only=True)
class Target:
    """One model that can be asked."""

    model: str  #: the name in the settings, which is also shown
    provider: str
    name: str  #: the name for litellm
    api_base: str | None = None
    api_key: str | None = None


def provider_of(model: str) -> str:
    """`openai` for `gpt-4o`, `offline` for the stand-in; `openai` for unknown names."""
    if model.startswith(OFFLINE_PREFIX):
        return "offline"
    litellm = load_litellm()
    try:
        return str(litellm.get_llm_provider(model)[1])
    except litellm.BadRequestError:
        return "openai"


def server_of(model: str, settings: Settings) -> str | None:
    """An id for the capacity that calls to `model` share.

    The server at `LLM_API_BASE`, else the hosted model itself; None for the stand-in, whose
    calls share nothing.
    """
    if model.startswith(OFFLINE_PREFIX):
        return None
    return settings.llm_api_base or model


def list_targets(request: ModelRequest, settings: Settings) -> tuple[Target, ...]:
    """The requested model first, then the fallbacks, without duplicates."""
    fallbacks = [name for name in settings.llm_fallbacks if name != request.model]
    own_server = bool(settings.llm_api_base)
    return (
        _target(request.model, settings, at_own_server=own_server),
        *(
            _target(name, settings, at_own_server=own_server and not _names_provider(name))
            for name in dict.fromkeys(fallbacks)
        ),
    )


def _target(model: str, settings: Settings, *, at_own_server: bool) -> Target:
    if at_own_server and not model.startswith(OFFLINE_PREFIX):
        return _own_server(model, settings)
    if model.startswith(OLLAMA_PREFIXES):
        # For unlisted models litellm would ask the server several times in each call.
        load_litellm().model_cost.setdefault(model, dict(OLLAMA_MODEL))
    return Target(model=model, provider=provider_of(model), name=model)


def _own_server(model: str, settings: Settings) -> Target:
    """The server at `LLM_API_BASE`, which speaks OpenAI's protocol and has its own model names."""
    name = model.removeprefix("openai/")
    return Target(
        model=model,
        provider="openai",
        name=f"openai/{name}",
        api_base=settings.llm_api_base,
        # OpenAI's client requires a key. Servers that need none accept any.
        api_key=settings.llm_api_key.get_secret_value() or "none",
    )


def _names_provider(model: str) -> bool:
    """Whether the name has a provider, as `mistral/…`. `openai/…` may mean our own server."""
    prefix, slash, _ = model.partition("/")
    return bool(slash) and prefix != "openai" and prefix in load_litellm().provider_list
