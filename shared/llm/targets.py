"""Where a model's name leads: which provider, under which name, at which address."""

from __future__ import annotations

from dataclasses import dataclass

from shared.llm.library import load_litellm
from shared.llm.request import ModelRequest
from shared.settings import Settings

OFFLINE_PREFIX = "offline/"
OLLAMA_PREFIXES = ("ollama/", "ollama_chat/")
# As in litellm's list of models. It says nothing of tokens: those are the server's business.
OLLAMA_MODEL = {"litellm_provider": "ollama", "mode": "chat", "supports_response_schema": True}


@dataclass(frozen=True, kw_only=True)
class Target:
    """`model` is the configured name, which is reported; the rest goes to litellm."""

    model: str
    provider: str
    name: str
    api_base: str | None = None
    api_key: str | None = None


def provider_of(model: str) -> str:
    """`openai` for `gpt-4o`, `offline` for the stand-in; `openai` where nothing else fits."""
    if model.startswith(OFFLINE_PREFIX):
        return "offline"
    litellm = load_litellm()
    try:
        return str(litellm.get_llm_provider(model)[1])
    except litellm.BadRequestError:
        return "openai"


def server_of(model: str, settings: Settings) -> str | None:
    """What calls to `model` share: the server at `LLM_API_BASE`, else that model of its provider.

    None for the stand-in, which has nothing to share.
    """
    if model.startswith(OFFLINE_PREFIX):
        return None
    return settings.llm_api_base or model


def list_targets(request: ModelRequest, settings: Settings) -> tuple[Target, ...]:
    """The requested model first, then the fallbacks, each once."""
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
        _put_on_list(model)
    return Target(model=model, provider=provider_of(model), name=model)


def _put_on_list(model: str) -> None:
    """litellm asks the server about a model that its list lacks, several times for each call."""
    load_litellm().model_cost.setdefault(model, dict(OLLAMA_MODEL))


def _own_server(model: str, settings: Settings) -> Target:
    """The server at `LLM_API_BASE`: OpenAI's protocol, the name as that server calls it."""
    name = model.removeprefix("openai/")
    return Target(
        model=model,
        provider="openai",
        name=f"openai/{name}",
        api_base=settings.llm_api_base,
        # OpenAI's client insists on a key, many local servers on none: any word does for them.
        api_key=settings.llm_api_key.get_secret_value() or "none",
    )


def _names_provider(model: str) -> bool:
    """Whether a fallback says whose it is (`mistral/…`); `openai/…` may mean our own server."""
    prefix, slash, _ = model.partition("/")
    return bool(slash) and prefix != "openai" and prefix in load_litellm().provider_list
