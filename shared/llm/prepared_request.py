"""A request as it goes to one model: its fields and messages, by what its server takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shared.llm.request import ModelRequest
from shared.llm.response_format import choose_format
from shared.llm.targets import Target
from shared.llm.token_counts import count_tokens
from shared.models.request_limits import RequestLimits
from shared.policy.clients.client_messages import text_of
from shared.policy.message_shapes import shape_messages
from shared.policy.request_fields import ANSWER_LIMITS, FORMAT, fit_fields
from shared.policy.request_refusals import SentFields
from shared.settings import Settings


@dataclass(frozen=True, kw_only=True)
class PreparedRequest:
    """What both ways to a server send, beside the model's name."""

    request: ModelRequest
    messages: Sequence[Mapping[str, Any]]
    fields: SentFields

    @property
    def answer_tokens(self) -> int:
        """The longest answer that is asked for. 0: no limit is named."""
        limits = [self.fields.fields.get(name) for name in ANSWER_LIMITS]
        return max((limit for limit in limits if isinstance(limit, int)), default=0)

    def count_tokens(self) -> int:
        return _count(self.messages, self.request)


def prepare(
    request: ModelRequest, target: Target, settings: Settings, limits: RequestLimits
) -> PreparedRequest:
    messages = shape_messages(request.list_messages(), limits.refused)
    values = {
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        FORMAT: choose_format(request.form, target, limits) if request.form else None,
        "stream_options": {"include_usage": True},
    }
    fields = {**{name: value for name, value in values.items() if value is not None}}
    prompt_tokens = _count(messages, request) if limits.prompt_tokens else 0
    fitted = fit_fields({**fields, **request.options}, limits, prompt_tokens)
    chosen = frozenset(request.options)
    return PreparedRequest(
        request=request, messages=messages, fields=SentFields(fields=fitted, chosen=chosen)
    )


def _count(messages: Sequence[Mapping[str, Any]], request: ModelRequest) -> int:
    count = count_tokens(request.model)
    return sum(count(text_of(message.get("content"))) for message in messages)
