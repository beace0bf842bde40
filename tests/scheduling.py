"""Which process of a run (pytest-xdist) gets which tests."""

from __future__ import annotations

from pathlib import PurePath

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

# Each in one process, since its tests share sites. The longest is begun first, so that no process
# is left with it at the end.
WHOLE = ("tests/e2e/page/", "tests/e2e/")
# After these, folder by folder.
FOLDERS = ("tests/integration/", "tests/unit/")


def begins(nodeid: str) -> int:
    """The place of a test's part in the order of a run."""
    parts = (*WHOLE, *FOLDERS)
    return next((n for n, part in enumerate(parts) if nodeid.startswith(part)), len(parts))


class Scheduling(LoadScopeScheduling):
    """The tests of the page in one process, those of other sites in another.

    Whoever is done with them takes folders of the other tests, one after the other.
    """

    def __init__(self, config: pytest.Config, log: Producer) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False  # by `begins`, not by how many tests there are

    def _split_scope(self, nodeid: str) -> str:
        folder = str(PurePath(nodeid.split("::", maxsplit=1)[0]).parent)
        return next((part for part in WHOLE if nodeid.startswith(part)), folder)
