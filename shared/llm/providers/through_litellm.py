"""A call through litellm, which knows the protocols of nearly all providers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import httpx

from shared.errors import RequestNotAcceptedError
from shared.llm.chunks import Chunk, Chunks
from shared.llm.prepared_request import PreparedRequest
from shared.llm.provider_errors import BAD_REQUEST
from shared.llm.providers.answer_events import read_answer
from shared.llm.providers.litellm_setup import load_litellm
from shared.llm.providers.openai_chunks import read_chunk
from shared.llm.targets import Target
from shared.settings import Settings

# Fields that litellm translates for providers with another protocol than OpenAI's. It leaves out
# those that a provider does not know.
TRANSLATED = frozenset(
    {
        "frequency_penalty", "logit_bias", "max_completion_tokens", "max_tokens",
        "parallel_tool_calls", "presence_penalty", "reasoning_effort", "response_format", "seed",
        "stop", "temperature", "tool_choice", "tools", "top_p", "user",
    }
)  # fmt: skip

OUT_OF_TURN = "Its model may want turns that alternate between user and assistant."

# litellm's names. Others cache by themselves.
CACHES_BY_MARK = frozenset({"anthropic", "bedrock"})


def ask_through_litellm(sent: PreparedRequest, target: Target, settings: Settings) -> Chunks:
    stream = _open_stream(target, **_arguments(sent, target, settings))
    try:
        yield from _list_chunks(stream)
    finally:
        _close(stream)


def _arguments(sent: PreparedRequest, target: Target, settings: Settings) -> dict[str, Any]:
    access = {"api_base": target.api_base, "api_key": target.api_key}
    chosen = sent.fields.chosen
    fields = {name: value for name, value in sent.fields.fields.items() if name not in chosen}
    return {
        "model": target.name,
        "messages": _messages(sent, target),
        **fields,
        "timeout": settings.llm_timeout_s,
        **{name: value for name, value in access.items() if value is not None},
        **client_arguments(sent, target),
        # A server at an address says itself what it does not take.
        "drop_params": target.api_base is None,
        "max_retries": 0,  # retries.py does that
        "num_retries": 0,
    }


def _messages(sent: PreparedRequest, target: Target) -> list[dict[str, Any]]:
    """Add marks for providers that cache only as far as a mark: they are put where the beginning
    ends that the next prompt has again, behind the instructions and behind the earlier turns.
    """
    messages = [dict(message) for message in sent.messages]
    is_marked = "cache_control" in str(sent.request.raw_messages)
    if target.provider not in CACHES_BY_MARK or is_marked:
        return messages
    users = [at for at, message in enumerate(messages) if message["role"] == "user"]
    for at in {0, users[-1] - 1} if users and users[-1] > 0 else ():
        messages[at] = _marked(messages[at])
    return messages


def _marked(message: dict[str, Any]) -> dict[str, Any]:
    content = message.get("content")
    if not isinstance(content, str) or not content:
        return message
    part = {"type": "text", "text": content, "cache_control": {"type": "ephemeral"}}
    return {**message, "content": [part]}


def _open_stream(target: Target, **arguments: Any) -> Any:
    stream = load_litellm().completion(stream=True, **arguments)
    if stream is None:  # its own attempts to mend the turns, or a 422, have failed
        refusal = BAD_REQUEST.format(provider=target.provider, model=target.model)
        raise RequestNotAcceptedError(f"{refusal} {OUT_OF_TURN}")
    return stream


def _list_chunks(stream: Any) -> Chunks:
    """litellm's own chunks have lost unknown endings and fields: a server's answer is read itself,
    where it speaks OpenAI's protocol.
    """
    response = getattr(getattr(stream, "completion_stream", None), "response", None)
    if isinstance(response, httpx.Response):
        yield from read_answer(response)
        return
    for chunk in stream:
        # litellm says "stop" where the server has said nothing.
        yield replace(read_chunk(chunk.model_dump()), finish_reason=None)
    yield Chunk(finish_reason=_finish_reason(stream))


def _finish_reason(stream: Any) -> str | None:
    """The reason that the server sent. litellm itself reports "stop" when the server sent none."""
    # Streams without litellm's usual wrapper do not record the reason: "stop" is assumed.
    received = getattr(stream, "received_finish_reason", "stop")
    return received or getattr(stream, "intermittent_finish_reason", None)


def _close(stream: Any) -> None:
    """Hang up, so that a local model stops writing an answer that nobody reads."""
    close = getattr(getattr(stream, "completion_stream", None), "close", None)
    if close is not None:
        close()


def client_arguments(sent: PreparedRequest, target: Target) -> dict[str, Any]:
    """A server that speaks OpenAI's protocol gets every field and message as the client sent it.

    litellm would leave out fields that it does not know, and those that are null.
    """
    if not sent.request.raw_messages:
        return {}
    fields = {
        name: value for name, value in sent.fields.fields.items() if name in sent.fields.chosen
    }
    if target.provider == "openai":
        return {"extra_body": {**fields, "messages": list(sent.messages)}}
    return {name: value for name, value in fields.items() if name in TRANSLATED}
