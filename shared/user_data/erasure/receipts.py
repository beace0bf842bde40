"""What a deletion takes, or would take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shared.models import Message
from shared.store.upkeep.receipts import Counts


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """`dry_run`: nothing was deleted."""

    counts: Counts
    dry_run: bool
    #: Single messages that were deleted, as they were before.
    messages: Sequence[Message] = ()
    #: How many other messages contain a deleted fact's value. They stay. None: not counted.
    mentions: int | None = None
