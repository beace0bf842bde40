"""A call to the server at a model's address in OpenAI's protocol, by httpx.

litellm's call takes some twenty times as much processor time, and its import seconds. A server
that needs litellm's workarounds is asked through it with `LLM_API_CLIENT=litellm`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import httpx_sse

from shared.llm.chunks import Chunks
from shared.llm.prepared_request import PreparedRequest
from shared.llm.providers.direct_errors import (
    UnreadableAnswerError,
    error_in_stream,
    error_of,
)
from shared.llm.providers.http_client import model_client
from shared.llm.providers.openai_chunks import read_chunk
from shared.llm.targets import Target
from shared.settings import Settings

EVENTS = "text/event-stream"
LAST = "[DONE]"


def ask_directly(sent: PreparedRequest, target: Target, settings: Settings) -> Chunks:
    """Raises `ServerError` for what the server refuses, and httpx's errors for lost connections."""
    body = {
        "model": target.name,
        "messages": sent.messages,
        **sent.fields.fields,
        "stream": True,
    }
    with model_client().stream(
        "POST",
        f"{(target.api_base or '').rstrip('/')}/chat/completions",
        json=body,
        headers={"Authorization": f"Bearer {target.api_key}", "Accept": EVENTS},
        timeout=settings.llm_timeout_s,
        follow_redirects=target.follows_redirects,
    ) as response:
        if response.status_code != httpx.codes.OK:
            raise error_of(response)
        for text in _list_events(response):
            yield read_chunk(_parse(text))


def _list_events(response: httpx.Response) -> Iterator[str]:
    """The JSON of each event, or of a whole answer: some servers do not stream."""
    if response.headers.get("Content-Type", "").startswith("application/json"):
        yield response.read().decode(errors="replace")  # within the bounds of the call
        return
    response.headers["Content-Type"] = EVENTS  # as some servers call it otherwise
    events = httpx_sse.EventSource(response).iter_sse()
    for event in events:
        if event.data.strip() == LAST:
            break
        if event.data:
            yield event.data
    if "Transfer-Encoding" in response.headers:  # read to the end, so that the connection is kept
        for _ in events:
            pass


def _parse(text: str) -> dict[str, Any]:
    try:
        event = json.loads(text)
    except (ValueError, RecursionError):
        raise UnreadableAnswerError from None
    if not isinstance(event, dict):
        raise UnreadableAnswerError
    if event.get("error"):
        raise error_in_stream(event["error"])
    return event
