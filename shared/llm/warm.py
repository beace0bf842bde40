"""litellm's first call costs seconds; made ahead of time, nobody waits for it."""

from __future__ import annotations

from shared.llm.complete import complete
from shared.llm.request import ChatMessage, ModelRequest
from shared.llm.tokens import count_tokens
from shared.settings import STAND_IN_MODEL, Settings


def warm_up(settings: Settings) -> None:
    """Import litellm, load the encoding and make one call through the offline provider.

    Takes some 5 s of CPU: meant for a background thread.
    """
    hello = ChatMessage(role="user", content="Hello")
    offline = settings.model_copy(update={"llm_fallbacks": ()})
    complete(ModelRequest(model=STAND_IN_MODEL, messages=(hello,), purpose="reply"), offline)
    count_tokens(settings.llm_model)(hello.content)
    _build_client()


def _build_client() -> None:
    """Most providers are reached through this client, whose parts are imported at first use."""
    import openai

    with openai.OpenAI(api_key="none") as client:
        _ = client.chat.completions
