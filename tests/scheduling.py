"""Which process of a run (pytest-xdist) gets which tests."""

from __future__ import annotations

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

# The longest are begun first, so that no process is left with one at the end.
ORDER = ("tests/e2e/page/", "tests/chaos/", "tests/e2e/", "tests/integration/", "tests/unit/")

# Each folder in one process: what its tests share is expensive to make.
WHOLE = (
    "tests/e2e/openai/", "tests/e2e/server/", "tests/integration/embeddings/",
    "tests/integration/store/",
)  # fmt: skip


def begins(nodeid: str) -> int:
    """The place of a test's part in the order of a run."""
    return next((n for n, part in enumerate(ORDER) if nodeid.startswith(part)), len(ORDER))


class Scheduling(LoadScopeScheduling):
    """Whoever is done takes the next file, or the next folder of `WHOLE`."""

    def __init__(self, config: pytest.Config, log: Producer) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False  # by `begins`, not by how many tests there are

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::", maxsplit=1)[0]
        return next((part for part in WHOLE if nodeid.startswith(part)), file)
