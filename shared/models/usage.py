"""What calls to models have cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Purpose = Literal["reply", "summary", "episode", "facts", "title"]


@dataclass(frozen=True, kw_only=True)
class Usage:
    """Tokens over one or more calls to one model."""

    tokens_in: int
    tokens_out: int
    model: str
    calls: int = 1
