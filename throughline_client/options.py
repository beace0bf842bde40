"""How the clients connect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import httpx


@dataclass(frozen=True, kw_only=True)
class Options:
    """`attempts` counts the first one. Times are in seconds.

    `reply_timeout_s` bounds the wait for the next byte: of a whole reply, the time that the model
    takes for it. A stream sends something every five seconds.
    """

    attempts: int = 4
    connect_timeout_s: float = 5.0
    reply_timeout_s: float = 300.0
    #: For a proxy, certificates of one's own, or tests; passed to httpx.
    more: dict[str, Any] | None = None

    def for_httpx(self, base_url: str, token: str) -> dict[str, Any]:
        return {
            "base_url": base_url,
            "headers": {"Authorization": f"Bearer {token}", "User-Agent": "throughline-client"},
            "timeout": httpx.Timeout(self.reply_timeout_s, connect=self.connect_timeout_s),
            **(self.more or {}),
        }
