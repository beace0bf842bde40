"""What a refusal says: as a problem at `/api`, in an `error` elsewhere."""

from __future__ import annotations

from typing import Any


def code_of(answer: Any) -> str:
    return str(_members(answer)["code"])


def message_of(answer: Any) -> str:
    members = _members(answer)
    return str(members.get("detail") or members.get("message"))


def _members(answer: Any) -> dict[str, Any]:
    """`answer` is one of Flask's client or of httpx."""
    body = answer.get_json() if hasattr(answer, "get_json") else answer.json()
    members: dict[str, Any] = body.get("error") if isinstance(body.get("error"), dict) else body
    return members
