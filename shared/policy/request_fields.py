"""The optional fields of a request, by what its model's server takes. Named as OpenAI names them.

Pure: the fields and the limits come in, the fields to send go out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared.models.request_limits import RequestLimits

FORMAT = "response_format"
STREAM = "stream"
#: Two names of the longest answer. What one server calls unknown is the other's only one.
ANSWER_LIMITS = ("max_tokens", "max_completion_tokens")
#: Fields without which an answer is still an answer to what was asked, the riskiest first.
#: Whatever else a client sends (tools, a form, where to stop) is sent, or the request fails.
DROPPABLE = (
    "temperature",
    *ANSWER_LIMITS,
    "stream_options",
    STREAM,
    "reasoning_effort",
    "reasoning",
    "verbosity",
    "parallel_tool_calls",
    "logit_bias",
    "seed",
    "top_k",
    "min_p",
    "typical_p",
    "repetition_penalty",
    "frequency_penalty",
    "presence_penalty",
    "top_p",
    "user",
    "safety_identifier",
    "prompt_cache_key",
    "service_tier",
    "metadata",
    "store",
)
LEAST_ANSWER = 128  # tokens of an answer, however full the context is


def fit_fields(
    fields: Mapping[str, Any], limits: RequestLimits, prompt_tokens: int
) -> dict[str, Any]:
    """The fields that the server takes. `prompt_tokens` are those of the prompt, by our count."""
    fitted = {name: value for name, value in fields.items() if name not in limits.refused}
    for name, other in (ANSWER_LIMITS, ANSWER_LIMITS[::-1]):
        if name in fields and name in limits.refused and other not in limits.refused:
            fitted.setdefault(other, fields[name])
    for pair in limits.refused:
        name, plus, other = pair.partition("+")
        if plus and other in fitted:
            fitted.pop(name, None)
    if STREAM in fields and STREAM not in fitted:
        fitted.pop("stream_options", None)
    for name in ANSWER_LIMITS:
        if isinstance(fitted.get(name), int):
            fitted[name] = _fit_answer(fitted[name], limits, prompt_tokens)
    return fitted


def _fit_answer(tokens: int, limits: RequestLimits, prompt_tokens: int) -> int:
    most = [tokens]
    if limits.answer_tokens is not None:
        most.append(limits.answer_tokens)
    if limits.prompt_tokens is not None:
        most.append(max(LEAST_ANSWER, limits.prompt_tokens - prompt_tokens))
    return min(most)
