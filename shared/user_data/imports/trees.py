"""Messages that name their parents, as most programs keep branches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from shared.errors import UnreadableConversationError
from shared.user_data.imports.fields import find_instant, read_id

Node = dict[str, Any]

MAX_ENDS = 100
MAX_LOOKS = 20_000  # at nodes, for all ends of one tree
CIRCLE = "Its messages follow each other in a circle."


class Ends(NamedTuple):
    """The ends of a tree's branches."""

    #: Those that are looked at, by their ids.
    ids: list[str]
    #: How many more there are.
    further: int = 0


@dataclass(frozen=True, kw_only=True)
class Tree:
    nodes: Mapping[str, Node]
    #: The field with the id of a node's parent.
    parent: str
    #: Reads when a node was written, in any form of a time.
    time_of: Callable[[Node], object]

    def list_ends(self) -> Ends:
        """The newest ends, the oldest of them first. To read one of them looks at all nodes."""
        leaves = sorted(self._list_leaves(), key=self._order)
        most = min(MAX_ENDS, max(1, MAX_LOOKS // max(1, len(self.nodes))))
        return Ends(leaves[-most:], max(0, len(leaves) - most))

    def path_to(self, end: object) -> list[Node]:
        """The nodes from the root to `end`; to the newest leaf, if `end` names no node.

        Raises `UnreadableConversationError` if nodes follow each other in a circle.
        """
        place = end if isinstance(end, str) and end in self.nodes else self._newest_leaf()
        path: dict[str, Node] = {}
        while place in self.nodes:
            if place in path:
                raise UnreadableConversationError(CIRCLE)
            path[place] = self.nodes[place]
            place = read_id(self.nodes[place].get(self.parent))
        return [*path.values()][::-1]

    def _newest_leaf(self) -> str:
        leaves = self._list_leaves()
        if self.nodes and not leaves:
            raise UnreadableConversationError(CIRCLE)
        return max(leaves, key=self._order, default="")

    def _list_leaves(self) -> list[str]:
        """The ids of the messages that no other one follows, in the order of `nodes`."""
        parents = {read_id(node.get(self.parent)) for node in self.nodes.values()}
        return [node_id for node_id in self.nodes if node_id not in parents]

    def _order(self, node_id: str) -> float:
        written_at = find_instant(self.time_of(self.nodes[node_id]), Counter())
        return written_at.timestamp() if written_at else 0.0
