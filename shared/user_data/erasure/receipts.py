"""What a deletion has deleted, or would delete."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shared.models import Fact, Message
from shared.store.upkeep.receipts import Counts


@dataclass(frozen=True, kw_only=True)
class TaughtFact:
    """A fact that was learned from a message which an erasure deletes."""

    fact: Fact
    #: It outlives its message, without a source.
    stays: bool


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """The number of rows that a deletion removed. With `dry_run` nothing was deleted."""

    counts: Counts
    dry_run: bool
    #: The deleted single messages, with their old text.
    messages: Sequence[Message] = ()
    #: The facts that these messages had taught, as they were.
    facts: Sequence[TaughtFact] = ()
    #: How many remaining messages contain the value of the deleted fact. None: not counted.
    mentions: int | None = None
    #: How many replies of other places repeat what was deleted, and stay. None: not counted.
    replies_left: int | None = None
