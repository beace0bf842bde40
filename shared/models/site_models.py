"""Models that operators have set up on the page, beside those of the environment."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

#: `openai`: a server that speaks OpenAI's protocol, at an address. `litellm`: a provider that
#: litellm knows, named at the beginning of the model's name there.
Protocol = Literal["openai", "litellm"]
#: Whether a model's word about facts is taken: if it passed the examination, always, or never.
Trust = Literal["examined", "always", "never"]
#: The share of an examination's traps that may be believed, and of its statements that may be lost.
MOST_WRONG = 0.15


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
    #: Whether its word about facts is taken. None: as MEMORY_TRUST says.
    trust: Trust | None = None


@dataclass(frozen=True, kw_only=True)
class StoredModel:
    """A row of `site_models`."""

    model_id: int
    config: ModelConfig
    #: Encrypted. None: it is asked without a key, or litellm finds one in the environment.
    sealed_key: bytes | None = field(repr=False)
    created_at: datetime
    changed_at: datetime


@dataclass(frozen=True, kw_only=True)
class Examination:
    """How a model did with the notes that it was asked about so far."""

    prompt_version: str
    asked_count: int = 0
    #: Notes of which nothing was to be believed, and how many it believed.
    traps: int = 0
    believed: int = 0
    #: Plain statements, and how many of them it lost.
    plain: int = 0
    lost: int = 0
    is_done: bool = False

    @property
    def has_passed(self) -> bool:
        return (
            self.is_done
            and self.believed <= MOST_WRONG * self.traps
            and self.lost <= MOST_WRONG * self.plain
        )


@dataclass(frozen=True, kw_only=True)
class SiteModel:
    """A model of an operator, ready to be asked."""

    config: ModelConfig
    #: None: there is none, or it cannot be decrypted.
    api_key: str | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        return self.config.name
