"""What a deletion takes, or would take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shared.models import Message
from shared.store.receipts import Counts


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """`dry_run`: nothing was touched. `messages` are those that go, where they were looked for
    and not named.
    """

    counts: Counts
    dry_run: bool
    messages: Sequence[Message] = ()
