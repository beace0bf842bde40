"""A call to the server at a model's address in OpenAI's protocol, by httpx.

litellm's call takes some twenty times as much processor time, and its import seconds. A server
that needs litellm's workarounds is asked through it with `LLM_API_CLIENT=litellm`.
"""

from __future__ import annotations

from shared.llm.chunks import Chunks
from shared.llm.prepared_request import PreparedRequest
from shared.llm.providers.answer_events import read_answer
from shared.llm.providers.direct_errors import error_of
from shared.llm.providers.http_client import model_client
from shared.llm.targets import Target
from shared.settings import Settings

EVENTS = "text/event-stream"


def ask_directly(sent: PreparedRequest, target: Target, settings: Settings) -> Chunks:
    """Raises `ServerError` for what the server refuses, and httpx's errors for lost connections."""
    body = {"model": target.name, "messages": sent.messages, **sent.fields.fields}
    with model_client().stream(
        "POST",
        f"{(target.api_base or '').rstrip('/')}/chat/completions",
        json=body,
        headers={"Authorization": f"Bearer {target.api_key}", "Accept": EVENTS},
        timeout=settings.llm_timeout_s,
        follow_redirects=target.follows_redirects,
    ) as response:
        if not response.is_success:
            raise error_of(response)
        yield from read_answer(response)
