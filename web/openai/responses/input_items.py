"""A client's stored messages as items of the Responses API."""

from __future__ import annotations

from typing import Any

from shared.models.clients import ClientMessage


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
