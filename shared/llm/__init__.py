"""The client of the language models. litellm is imported when a model is first asked through it.

`complete` and `open_stream` ask for an answer, `ask_json` for one in a given form. Each goes
through `retries.py` (retries and fallbacks), `background_iterator.py` (timeouts) and
`provider_call.py` (the call itself, in one of the ways of `providers`). All errors are from
`shared.errors`.
"""

from shared.llm.client import ReplyStream, complete, open_stream
from shared.llm.input_budget import input_budget, shorter_budget
from shared.llm.interruption import interruptible
from shared.llm.model_catalog import ModelCatalog
from shared.llm.model_list import sees_images
from shared.llm.pace import pace_of
from shared.llm.request import ChatMessage, Completion, ModelRequest, Role
from shared.llm.structured_output import ask_json
from shared.llm.targets import provider_of, server_of
from shared.llm.token_counts import context_of, count_tokens, input_limit, longest_answer
from shared.llm.warm_up import warm_up

__all__ = [
    "ChatMessage",
    "Completion",
    "ModelCatalog",
    "ModelRequest",
    "ReplyStream",
    "Role",
    "ask_json",
    "complete",
    "context_of",
    "count_tokens",
    "input_budget",
    "input_limit",
    "interruptible",
    "longest_answer",
    "open_stream",
    "pace_of",
    "provider_of",
    "sees_images",
    "server_of",
    "shorter_budget",
    "warm_up",
]
