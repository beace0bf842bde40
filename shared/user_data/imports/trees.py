"""Messages that name their parents, as most programs keep branches: the path to one of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from shared.errors import UnreadableConversationError
from shared.user_data.imports.fields import read_id

Node = dict[str, Any]
#: Tells when a node was written.
Order = Callable[[Node], float]

MAX_ENDS = 100
MAX_LOOKS = 20_000  # at nodes, for all ends of one tree


class Ends(NamedTuple):
    """The ends of a tree's branches."""

    #: Those that are looked at, by their ids.
    ids: list[str]
    #: How many more there are.
    further: int = 0


def list_ends(nodes: Mapping[str, Node], parent: str, order: Order) -> Ends:
    """The newest ends, the oldest of them first. Reading one of them looks at the whole tree."""
    leaves = sorted(list_leaves(nodes, parent), key=lambda node_id: order(nodes[node_id]))
    most = min(MAX_ENDS, max(1, MAX_LOOKS // max(1, len(nodes))))
    return Ends(leaves[-most:], max(0, len(leaves) - most))


def list_leaves(nodes: Mapping[str, Node], parent: str) -> list[str]:
    """The ids of the messages that no other one follows, in the order of `nodes`."""
    parents = {read_id(node.get(parent)) for node in nodes.values()}
    return [node_id for node_id in nodes if node_id not in parents]


def shown_path(nodes: Mapping[str, Node], end: object, parent: str, order: Order) -> list[Node]:
    """The nodes from the root to `end`; to the newest leaf, if `end` names no node.

    `parent` is the field with a parent's id. Raises `UnreadableConversationError` if nodes follow
    each other in a circle.
    """
    place = end if isinstance(end, str) and end in nodes else _newest_leaf(nodes, parent, order)
    path: list[Node] = []
    path_ids: set[str] = set()
    while place in nodes:
        if place in path_ids:
            raise UnreadableConversationError("Its messages follow each other in a circle.")
        path_ids.add(place)
        path.append(nodes[place])
        place = read_id(nodes[place].get(parent))
    return path[::-1]


def _newest_leaf(nodes: Mapping[str, Node], parent: str, order: Order) -> str:
    leaves = list_leaves(nodes, parent)
    if nodes and not leaves:
        raise UnreadableConversationError("Its messages follow each other in a circle.")
    return max(leaves, key=lambda node_id: order(nodes[node_id]), default="")
