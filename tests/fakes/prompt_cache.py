"""What a model's server has read before, and need not read again."""

from __future__ import annotations

from collections import deque
from typing import Any


class PromptCache:
    """Keeps the newest prompts."""

    def __init__(self, size: int = 0) -> None:
        self._prompts: deque[str] = deque(maxlen=size)

    def take_unread(self, body: dict[str, Any]) -> str:
        """The part of the request's messages with which no kept prompt begins; it is kept now."""
        prompt = "".join(str(message["content"]) for message in body["messages"])
        known = [len(common_start(before, prompt)) for before in self._prompts]
        self._prompts.append(prompt)
        return prompt[max(known, default=0) :]


def common_start(first: str, second: str) -> str:
    pairs = enumerate(zip(first, second, strict=False))
    return first[: next((at for at, (a, b) in pairs if a != b), min(len(first), len(second)))]
