"""Which process of a run (pytest-xdist) gets which tests."""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling

SITES = "tests/e2e/"


class Scheduling(LoadScopeScheduling):
    """The tests of whole sites in one process, all others in another.

    Sites are shared, since they take memory and time. And once the browser has been open, its
    event loop runs in its process to the end, beside which no other loop can run.
    """

    def _split_scope(self, nodeid: str) -> str:
        return SITES if nodeid.startswith(SITES) else "others"
