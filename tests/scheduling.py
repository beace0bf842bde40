"""Which process of a run (pytest-xdist) gets which tests."""

from __future__ import annotations

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

# The longest are begun first, so that no process is left with one at the end.
ORDER = ("tests/e2e/page/", "tests/chaos/", "tests/e2e/", "tests/integration/", "tests/unit/")

# Each folder in one process: what its tests share is expensive to make.
WHOLE = (
    "tests/e2e/openai/", "tests/e2e/server/", "tests/integration/embeddings/",
    "tests/integration/store/",
)  # fmt: skip

# Tests of the page share a browser and three sites, which take 25 s of CPU to start. So few
# processes begin with them; the others do what comes after them first, and help at the end.
PAGE = "tests/e2e/page/"
BEGINNING_WITH_THE_PAGE = 2


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

    def _assign_work_unit(self, node: WorkerController) -> None:
        if self.nodes.index(node) >= BEGINNING_WITH_THE_PAGE:
            scope = next((s for s in self.workqueue if not s.startswith(PAGE)), None)
            if scope is not None:
                self.workqueue.move_to_end(scope, last=False)
        super()._assign_work_unit(node)
