"""Whose call a model takes first: replies before memory, on all machines that share a Redis.

Rounds announce that they wait for a model (`rounds.py`). Memory's calls are limited in number
and wait for announced rounds (`memory_calls.py`). Both are leases in Redis (`leases.py`): what a
process that died has left behind is over in `LEASE_S`.
"""

from shared.ephemeral.admission.memory_calls import Job, MemoryCalls, Place
from shared.ephemeral.admission.rounds import WaitingRounds

__all__ = ["Job", "MemoryCalls", "Place", "WaitingRounds"]
