"""What a deletion has deleted, or would delete."""

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
    #: The deleted single messages, with their old text.
    messages: Sequence[Message] = ()
    #: How many remaining messages contain the value of the deleted fact. None: not counted.
    mentions: int | None = None
