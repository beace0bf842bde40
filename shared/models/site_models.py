"""Models that operators have set up on the page, beside those of the environment."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

#: `openai`: a server that speaks OpenAI's protocol, at an address. `litellm`: a provider that
#: litellm knows, named at the beginning of the model's name there.
Protocol = Literal["openai", "litellm"]


@dataclass(frozen=True, kw_only=True)
class ModelConfig:
    """What an operator says of a model, but for its key."""

    #: What users choose it by, and clients of the API ask for it by. It never changes.
    name: str
    protocol: Protocol
    #: The base address of the server's API. None with `litellm`.
    address: str | None
    #: The name that its server knows it by.
    served_name: str
    #: Users may choose it for a conversation.
    is_offered: bool
    #: It answers where nobody has chosen a model.
    is_chat_default: bool
    #: It does memory's jobs.
    is_memory_default: bool
    #: How many tokens it takes. None: not known.
    context_tokens: int | None
    #: The longest reply, in tokens. None: as LLM_MAX_TOKENS says.
    max_tokens: int | None


@dataclass(frozen=True, kw_only=True)
class StoredModel:
    """A row of `site_models`."""

    model_id: int
    config: ModelConfig
    #: Encrypted. None: it is asked without a key, or litellm finds one in the environment.
    sealed_key: bytes | None = field(repr=False)
    created_at: datetime
    changed_at: datetime
    #: How many notes of the probe it told right. None: it was not asked at this place.
    verification_right: int | None


@dataclass(frozen=True, kw_only=True)
class EnvironmentModel:
    """A model that the environment names, where it is now. Elsewhere it is another one."""

    name: str
    #: A digest of LLM_API_BASE, which may contain a password. Empty: the model's provider.
    server: str


@dataclass(frozen=True, kw_only=True)
class SiteModel:
    """A model of an operator, ready to be asked."""

    config: ModelConfig
    #: None: there is none, or it cannot be decrypted.
    api_key: str | None = field(default=None, repr=False)
    #: As in `StoredModel`.
    verification_right: int | None = None

    @property
    def name(self) -> str:
        return self.config.name
