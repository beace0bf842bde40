"""Admission control: replies before memory, on all machines that share a Redis.

A round announces that a model answers it (`waiting_rounds.py`). Memory's calls to a model are
limited in number and give way to announced rounds (`concurrency_limit.py`). Slots and announcements
are leases in Redis (`leases.py`), so those of a dead process expire after `LEASE_S`.
"""

from shared.ephemeral.admission.concurrency_limit import ConcurrencyLimit, Slot, SlotRequest
from shared.ephemeral.admission.leases import Rank
from shared.ephemeral.admission.waiting_rounds import WaitingRounds

__all__ = ["ConcurrencyLimit", "Rank", "Slot", "SlotRequest", "WaitingRounds"]
