"""What is asked of a model, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pydantic

from shared.models import FinishReason, Purpose

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, kw_only=True)
class ChatMessage:
    """One message of a prompt."""

    role: Role
    content: str


@dataclass(frozen=True, kw_only=True)
class ModelRequest:
    """One question to a model; the fallbacks get the same.

    `max_tokens=None` leaves the answer's length to the model and its provider.
    `temperature=None` leaves it to the provider. `form` asks for an answer in that form, as
    strictly as the provider can be held to it; the answer must be checked all the same.
    """

    model: str
    messages: tuple[ChatMessage, ...]
    purpose: Purpose
    max_tokens: int | None = None
    temperature: float | None = None
    form: type[pydantic.BaseModel] | None = None


@dataclass(frozen=True, kw_only=True)
class Completion:
    """A whole answer. `model` is the one that gave it: the requested one or a fallback."""

    text: str
    model: str
    provider: str
    tokens_in: int
    tokens_out: int
    finish_reason: FinishReason
