"""How many tokens of messages fit into one of memory's requests to a model."""

from __future__ import annotations

from shared.llm.request import ModelRequest
from shared.llm.targets import OFFLINE_PREFIX, Target, list_targets, place_of
from shared.llm.token_counts import context_of, count_tokens
from shared.settings import Settings

# All in tokens.
UNKNOWN_CONTEXT = 4096  # a common setting of small local servers
MAX_CONTEXT = 32_000  # longer input is read in parts: cheaper, and small facts are not overlooked
LEAST_BUDGET = 200
COUNT_MARGIN = 0.9  # for most models the token count is an estimate


def input_budget(request: ModelRequest, settings: Settings) -> int | None:
    """Tokens left for messages beside the content of `request` and the answer.

    The smallest context among the model and its fallbacks counts. None: there is no limit, as
    with the stand-in.
    """
    contexts = [_context_size(target, settings) for target in list_targets(request, settings)]
    known = [tokens for tokens in contexts if tokens is not None]
    if not known:
        return None
    count = count_tokens(request.model)
    fixed = sum(count(message.content) for message in request.messages) + (request.max_tokens or 0)
    return max(LEAST_BUDGET, int((min(known) - fixed) * COUNT_MARGIN))


def shorter_budget(request: ModelRequest, refused: int, settings: Settings) -> int:
    """The next budget after `refused` tokens were too many: what the refusal taught, or half."""
    learned = input_budget(request, settings)
    return learned if learned is not None and refused // 2 < learned < refused else refused // 2


def _context_size(target: Target, settings: Settings) -> int | None:
    """The context of one model, by litellm's list; a server at `LLM_API_BASE` is not on it."""
    if target.model.startswith(OFFLINE_PREFIX):
        return None
    at_our_server = target.api_base and settings.find_site_model(target.model) is None
    if at_our_server:
        limit = settings.learned_limits.at(place_of(target.model, settings)).prompt_tokens
    else:
        limit = context_of(target.model, settings)
    size = settings.memory_ctx_tokens or (UNKNOWN_CONTEXT if limit is None else MAX_CONTEXT)
    return size if limit is None else min(size, limit)
