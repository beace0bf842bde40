"""A request to a model, and its completion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pydantic

from shared.models import FinishReason, Purpose
from shared.policy.message_shapes import join_turns

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, kw_only=True)
class ChatMessage:
    """One message of a prompt."""

    role: Role
    content: str
    #: Addresses of images that stand behind the text.
    images: tuple[str, ...] = ()

    def as_openai(self) -> dict[str, Any]:
        if not self.images:
            return {"role": self.role, "content": self.content}
        images = [{"type": "image_url", "image_url": {"url": url}} for url in self.images]
        return {"role": self.role, "content": [{"type": "text", "text": self.content}, *images]}


#: For a whole answer, all tries together. Proxies in front of the site wait a little longer.
LLM_DEADLINE_S = 600.0


@dataclass(frozen=True, kw_only=True)
class ModelRequest:
    """One request to a model. Its fallbacks get the same one."""

    model: str
    messages: tuple[ChatMessage, ...]
    purpose: Purpose
    max_tokens: int | None = None  #: of the answer; None: the provider's default
    temperature: float | None = None  #: None: the provider's default
    deadline_s: float = LLM_DEADLINE_S
    #: Asks for JSON of this form, as strictly as the provider can. The answer must be validated.
    form: type[pydantic.BaseModel] | None = None
    #: Messages in OpenAI's form, instead of `messages`: they are passed on as they are.
    raw_messages: tuple[Mapping[str, Any], ...] = ()
    #: Further fields of the request, in OpenAI's form.
    options: Mapping[str, Any] = field(default_factory=dict)

    def list_messages(self) -> list[dict[str, Any]]:
        """The messages in OpenAI's form. Of ours no two turns of one role follow each other."""
        if self.raw_messages:
            return [dict(message) for message in self.raw_messages]
        return join_turns(entry.as_openai() for entry in self.messages)


@dataclass(frozen=True)
class Reasoning:
    """A piece of what a model thinks before its answer."""

    text: str


@dataclass(frozen=True, kw_only=True)
class Completion:
    """A whole answer."""

    text: str
    model: str  #: the requested model, or the fallback that answered
    provider: str
    tokens_in: int
    tokens_out: int
    #: The part of `tokens_in` that the provider took from its cache. 0: none, or it did not tell.
    tokens_cached: int = 0
    finish_reason: FinishReason
    #: Fields of the model's message beside its text: tools' calls, reasoning, a refusal.
    extras: Mapping[str, Any] = field(default_factory=dict)
