"""Which process of a run (pytest-xdist) gets which tests."""

from __future__ import annotations

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

PAGE = "tests/e2e/page/"
#: These wait most of their time: for processes that they kill and start, and for what is silent.
WAITING = ("tests/chaos/", "tests/e2e/", "tests/integration/faults/", "tests/integration/llm/")
#: These compute.
OTHERS = ("tests/integration/", "tests/unit/", "")
PARTS = (PAGE, *WAITING, *OTHERS)

# Each folder in one process: what its tests share is expensive to make.
WHOLE = (
    "tests/e2e/openai/", "tests/e2e/server/", "tests/integration/embeddings/",
    "tests/integration/store/",
)  # fmt: skip

# Tests of the page share a browser and three sites, which take 25 s of CPU to start. So few
# processes begin with them.
BEGINNING_WITH_THE_PAGE = 2


def part_of(nodeid: str) -> str:
    return next(part for part in PARTS if nodeid.startswith(part))


def order_of(process: int) -> tuple[str, ...]:
    """The parts in the order in which a process of the run takes them.

    Few of them wait at a time, so that the cores have work, and no process is left with a long
    test at the end.
    """
    if process < BEGINNING_WITH_THE_PAGE:
        return (PAGE, *OTHERS, *WAITING)
    return (*WAITING, *OTHERS, PAGE)


class Scheduling(LoadScopeScheduling):
    """Whoever is done takes the next file, or the next folder of `WHOLE`."""

    def __init__(self, config: pytest.Config, log: Producer) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False  # by `order_of`, not by how many tests there are

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::", maxsplit=1)[0]
        return next((part for part in WHOLE if nodeid.startswith(part)), file)

    def _assign_work_unit(self, node: WorkerController) -> None:
        order = order_of(self.nodes.index(node))
        scope = min(self.workqueue, key=lambda scope: order.index(part_of(scope)))
        self.workqueue.move_to_end(scope, last=False)
        super()._assign_work_unit(node)
