"""Quotas: how much one user may use."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

#: What is counted by the day, in UTC.
Daily = Literal["rounds", "tokens", "searches"]
#: `followers` are streams that are open now; `storage` is the bytes of all messages, files
#: and the text in files.
Quota = Literal["rounds", "tokens", "searches", "followers", "storage"]


@dataclass(frozen=True, kw_only=True)
class UsedToday:
    """A row of `usage_days`, or zeros."""

    rounds: int
    searches: int
    tokens: int
    #: When all of them begin at zero again.
    resets_at: datetime
    resets_in_s: float

    def of(self, name: Daily) -> int:
        return {"rounds": self.rounds, "searches": self.searches, "tokens": self.tokens}[name]
