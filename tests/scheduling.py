"""Which process of a run (pytest-xdist) gets which tests."""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling

SITES = "tests/e2e/"


class Scheduling(LoadScopeScheduling):
    """The tests of whole sites stay in one process: they share sites, which take memory and time.

    Of the others, each file goes to whichever process is free. The largest come first.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return SITES if file.startswith(SITES) else file
