"""Memory: what is kept, derived and recalled."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from shared.models.site_models import Trust
from shared.policy.facts.secret_patterns import SecretPattern, read_patterns
from shared.settings.types import Group, Names, Positive


def _check_instructions(text: str) -> str:
    read_patterns(text)
    return text


class MemorySettings(Group):
    # Short-term memory
    enable_memory: bool = True
    memory_max_turns: Positive = 40
    memory_ttl_min: Positive = 60
    memory_max_conversations: Positive = 500

    # Rolling summary
    memory_rolling_window_size: Annotated[int, Field(ge=2)] = 14
    memory_summarize_after_seq: Annotated[int, Field(ge=1)] = 5
    memory_model: str = ""
    # whether its word about facts is taken: once it has passed an examination, always, or never
    memory_trust: Trust = "examined"
    # what is to be noted as facts, and what is a secret
    memory_instructions: Annotated[
        str, Field(max_length=2000), AfterValidator(_check_instructions)
    ] = ""
    memory_ctx_tokens: Annotated[int, Field(ge=1000)] | None = None

    # Calls of the memory model
    memory_max_calls: Positive | None = (
        None  # at once, on all machines; see effective_memory_max_calls
    )
    memory_max_tokens: Positive | None = None  # of each answer; unset: what its task needs

    # Episodes and facts
    memory_window_limit: Positive | None = None
    episode_trigger_turns: Annotated[int, Field(ge=2)] = 20  # the newer half stays out of it
    recall_languages: Annotated[Names, Field(min_length=1, max_length=3)] = ("english",)

    # Prompt
    ctx_tokens: Annotated[int, Field(ge=200)] = 8000
    recent_tokens: Annotated[int, Field(ge=0)] = 3000

    @property
    def own_secrets(self) -> SecretPattern:
        """What the operator calls a secret."""
        return read_patterns(self.memory_instructions)
