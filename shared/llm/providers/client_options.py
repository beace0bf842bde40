"""Arguments of litellm for the further fields of a client's request."""

from __future__ import annotations

from typing import Any

from shared.llm.request import ModelRequest
from shared.llm.targets import Target

# Fields that litellm translates for providers with another protocol than OpenAI's. It leaves out
# those that a provider does not know.
TRANSLATED = frozenset(
    {
        "frequency_penalty", "logit_bias", "max_completion_tokens", "max_tokens",
        "parallel_tool_calls", "presence_penalty", "reasoning_effort", "response_format", "seed",
        "stop", "temperature", "tool_choice", "tools", "top_p", "user",
    }
)  # fmt: skip


def client_arguments(request: ModelRequest, target: Target) -> dict[str, Any]:
    """A server that speaks OpenAI's protocol gets every field and message as the client sent it.

    litellm would leave out fields that it does not know, and those that are null.
    """
    if not request.raw_messages:
        return {}
    if target.provider == "openai":
        return {"extra_body": {**request.options, "messages": list(request.raw_messages)}}
    return {name: value for name, value in request.options.items() if name in TRANSLATED}
