"""What a deletion takes, or would take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shared.models import Message
from shared.store.upkeep.receipts import Counts


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """`dry_run`: nothing was touched. `messages` are the single ones that go, as they were.

    `mentions`: how many others hold a forgotten fact's value, and stay; None where nobody asked.
    """

    counts: Counts
    dry_run: bool
    messages: Sequence[Message] = ()
    mentions: int | None = None
