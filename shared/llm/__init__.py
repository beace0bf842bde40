"""Language models, by litellm. Importing this package is cheap; litellm comes with the first call.

Two ways to ask: `complete` (and `ask_json` upon it) for a whole answer, `open_stream` for
pieces. Both go through `attempts.py` (tries and fallbacks), `feed.py` (deadlines) and
`calls.py` (the only place that calls litellm). What goes wrong is one of `shared.errors`.
"""

from shared.llm.ask import ask_json
from shared.llm.complete import complete
from shared.llm.interruption import interruptible
from shared.llm.reading_room import reading_room
from shared.llm.request import ChatMessage, Completion, ModelRequest, Role
from shared.llm.stream import ReplyStream, open_stream
from shared.llm.targets import provider_of, server_of
from shared.llm.tokens import count_tokens, input_limit
from shared.llm.warm import warm_up

__all__ = [
    "ChatMessage",
    "Completion",
    "ModelRequest",
    "ReplyStream",
    "Role",
    "ask_json",
    "complete",
    "count_tokens",
    "input_limit",
    "interruptible",
    "open_stream",
    "provider_of",
    "reading_room",
    "server_of",
    "warm_up",
]
