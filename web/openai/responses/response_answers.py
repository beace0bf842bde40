"""Answers of the Responses API: the response as one object, and stored messages as items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shared.models import Outcome
from shared.models.clients import ClientMessage

REASONS = {"length": "max_output_tokens", "content_filter": "content_filter"}


@dataclass(frozen=True, kw_only=True)
class ResponseHead:
    """What a response has from the beginning."""

    response_id: str
    #: In seconds since 1970.
    created_at: int
    model: str
    #: The fields of the request that the answer repeats.
    repeated: Mapping[str, Any]

    @property
    def message_id(self) -> str:
        return self.response_id.replace("resp_", "msg_", 1)

    def call_id(self, place: int) -> str:
        return f"{self.response_id.replace('resp_', 'fc_', 1)}_{place}"


def response_json(head: ResponseHead, outcome: Outcome | None) -> dict[str, Any]:
    """The response as an object. `outcome` None: it is still being written."""
    status = status_of(outcome)
    reason = REASONS.get(outcome.finish_reason or "") if outcome else None
    failed = outcome is not None and status == "failed"
    return {
        "id": head.response_id,
        "object": "response",
        "created_at": head.created_at,
        "status": status,
        "background": False,
        "error": {"code": "server_error", "message": outcome.error} if failed and outcome else None,
        "incomplete_details": {"reason": reason} if status == "incomplete" else None,
        "model": (outcome.model if outcome else None) or head.model,
        "output": list_items(head, outcome) if outcome else [],
        "usage": _usage(outcome) if outcome else None,
        **head.repeated,
    }


def status_of(outcome: Outcome | None) -> str:
    if outcome is None:
        return "in_progress"
    if outcome.error is not None:
        return "failed"
    return "incomplete" if outcome.finish_reason in REASONS else "completed"


def list_items(head: ResponseHead, outcome: Outcome) -> list[dict[str, Any]]:
    items = [message_item(head, outcome.content)] if outcome.content else []
    if outcome.is_refusal:
        items[0]["content"] = [{"type": "refusal", "refusal": outcome.content}]
    calls = outcome.extras.get("tool_calls") or ()
    return items + [call_item(head, place, call) for place, call in enumerate(calls)]


def message_item(head: ResponseHead, text: str | None) -> dict[str, Any]:
    """None: the text is still to come."""
    return {
        "id": head.message_id,
        "type": "message",
        "status": "in_progress" if text is None else "completed",
        "role": "assistant",
        "content": [] if text is None else [text_part(text)],
    }


def text_part(text: str) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def call_item(head: ResponseHead, place: int, call: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": head.call_id(place),
        "type": "function_call",
        "status": "completed",
        "call_id": call["id"],
        "name": call["function"]["name"],
        "arguments": call["function"]["arguments"],
    }


def _usage(outcome: Outcome) -> dict[str, Any]:
    return {
        "input_tokens": outcome.tokens_in,
        "input_tokens_details": {"cached_tokens": outcome.tokens_cached},
        "output_tokens": outcome.tokens_out,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": outcome.tokens_in + outcome.tokens_out,
    }


def input_item(response_id: str, place: int, message: ClientMessage) -> dict[str, Any]:
    """`place` makes its id, which is stored nowhere."""
    name = f"{response_id.removeprefix('resp_')}_in{place}"
    content = message.get("content")
    if message["role"] == "tool":
        return {
            "id": f"fco_{name}",
            "type": "function_call_output",
            "status": "completed",
            "call_id": message.get("tool_call_id"),
            "output": content,
        }
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content or []
    return {
        "id": f"msg_{name}",
        "type": "message",
        "status": "completed",
        "role": message["role"],
        "content": [_part(part) for part in parts],
    }


def _part(part: dict[str, Any]) -> dict[str, Any]:
    if part.get("type") == "image_url":
        image = part.get("image_url")
        fields = image if isinstance(image, dict) else {"url": image}
        return {
            "type": "input_image",
            "image_url": fields.get("url"),
            "detail": fields.get("detail", "auto"),
        }
    if part.get("type") == "file":
        return {"type": "input_file", **part.get("file", {})}
    return {"type": "input_text", "text": str(part.get("text", ""))}
