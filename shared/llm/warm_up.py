"""Make litellm's first call ahead of time: it takes seconds."""

from __future__ import annotations

from shared.llm.client import complete
from shared.llm.request import ChatMessage, ModelRequest
from shared.llm.tokens import count_tokens
from shared.settings import STAND_IN_MODEL, Settings


def warm_up(settings: Settings) -> None:
    """Import litellm, load the encoding and make one call to the stand-in.

    Takes about 5 s of CPU. Call it in a background thread.
    """
    hello = ChatMessage(role="user", content="Hello")
    offline = settings.model_copy(update={"llm_fallbacks": ()})
    complete(ModelRequest(model=STAND_IN_MODEL, messages=(hello,), purpose="reply"), offline)
    count_tokens(settings.llm_model)(hello.content)
    _load_openai_client()


def _load_openai_client() -> None:
    """Most providers are called through this client, which imports its parts at their first use."""
    import openai

    with openai.OpenAI(api_key="none") as client:
        _ = client.chat.completions
