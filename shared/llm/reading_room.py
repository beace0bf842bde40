"""How much of what was said one memory call may read: what the model takes, asked of litellm."""

from __future__ import annotations

from shared.llm.request import ModelRequest
from shared.llm.targets import OFFLINE_PREFIX, Target, list_targets
from shared.llm.tokens import count_tokens, input_limit
from shared.settings import Settings

UNKNOWN_TOKENS = 4096  # what small local servers are often set up with
MOST_TOKENS = 32_000  # more is read in parts: it is cheaper, and small facts are not lost in it
COUNTED_SURELY = 0.9  # for most models the counter is a guess
LEAST_ROOM = 200


def reading_room(request: ModelRequest, settings: Settings) -> int | None:
    """Tokens that messages may take beside what `request` already holds, and its answer.

    It is that of the smallest model that may be asked. None: any number, as with the stand-in.
    """
    contexts = [_context(target, settings) for target in list_targets(request, settings)]
    known = [tokens for tokens in contexts if tokens is not None]
    if not known:
        return None
    count = count_tokens(request.model)
    fixed = sum(count(message.content) for message in request.messages) + (request.max_tokens or 0)
    return max(LEAST_ROOM, int((min(known) - fixed) * COUNTED_SURELY))


def _context(target: Target, settings: Settings) -> int | None:
    """What one model takes, in and out. Of a server of one's own litellm knows nothing."""
    if target.model.startswith(OFFLINE_PREFIX):
        return None
    limit = None if target.api_base else input_limit(target.name)
    wanted = settings.memory_ctx_tokens or (UNKNOWN_TOKENS if limit is None else MOST_TOKENS)
    return wanted if limit is None else min(wanted, limit)
