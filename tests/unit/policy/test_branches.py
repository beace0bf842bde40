"""Which messages branches share, and where they part."""

from __future__ import annotations

import pytest

from shared.models import Branch, ConversationId, Span
from shared.policy.branches import (
    list_forks,
    list_holders,
    list_replaced,
    list_rewordings,
    list_shared,
    parent_of_branch,
)


def branch(name: str, source: str | None = None, at: int = 0) -> Branch:
    return Branch(
        conversation_id=ConversationId(name),
        branched_from=ConversationId(source) if source else None,
        branched_at=at,
    )


# P is the first; B and C leave it at 4, D leaves B at 8, E leaves P at 10.
FAMILY = [
    branch("P"), branch("B", "P", 4), branch("C", "P", 4), branch("D", "B", 8),
    branch("E", "P", 10),
]  # fmt: skip


def forks(conversation: str) -> list[tuple[int, str, int]]:
    all_forks = list_forks(FAMILY, ConversationId(conversation))
    return [(fork.sequence, "".join(fork.branches), fork.current) for fork in all_forks]


def test_a_conversation_without_branches_has_no_forks() -> None:
    assert list_forks([branch("P")], ConversationId("P")) == []


@pytest.mark.parametrize(
    ("conversation", "expected"),
    [
        ("P", [(4, "PBC", 0), (10, "PE", 0)]),
        ("B", [(4, "PBC", 1), (8, "BD", 0)]),
        ("C", [(4, "PBC", 2)]),
        ("D", [(4, "PDC", 1), (8, "BD", 1)]),
        ("E", [(4, "EBC", 0), (10, "PE", 1)]),
    ],
)
def test_each_conversation_sees_the_forks_of_its_own_messages(
    conversation: str, expected: list[tuple[int, str, int]]
) -> None:
    assert forks(conversation) == expected


@pytest.mark.parametrize(
    ("conversation", "sequence", "parent"),
    [("B", 8, "B"), ("B", 4, "P"), ("B", 2, "P"), ("D", 6, "B"), ("D", 8, "B"), ("D", 4, "P"),
     ("P", 0, "P")],
)  # fmt: skip
def test_a_branch_hangs_on_whose_message_it_leaves(
    conversation: str, sequence: int, parent: str
) -> None:
    origin = parent_of_branch(FAMILY, ConversationId(conversation), sequence)
    assert origin.conversation_id == parent


@pytest.mark.parametrize(
    ("conversation", "sequence", "holders"),
    [("P", 2, "BCDEP"), ("D", 2, "BCDEP"), ("P", 4, "EP"), ("B", 4, "BD"), ("D", 8, "D"),
     ("E", 9, "EP"), ("E", 10, "E")],
)  # fmt: skip
def test_a_message_is_held_by_all_that_share_it(
    conversation: str, sequence: int, holders: str
) -> None:
    assert "".join(list_holders(FAMILY, ConversationId(conversation), sequence)) == holders


def test_a_branch_shares_what_those_above_it_have_themselves() -> None:
    assert list_shared(FAMILY, ConversationId("P")) == {}
    assert list_shared(FAMILY, ConversationId("D")) == {
        "B": Span(start=4, end=7),
        "P": Span(start=0, end=3),
    }


@pytest.mark.parametrize(
    ("conversation", "replaced", "rewordings"),
    [
        ("P", {"B": 4, "C": 4, "D": 8, "E": 10}, {("B", 4), ("C", 4), ("E", 10)}),
        ("D", {"P": 4, "B": 8, "C": 4, "E": 10}, {("P", 4), ("C", 4), ("B", 8)}),
    ],
)
def test_what_other_branches_say_in_place_of_ones_own(
    conversation: str, replaced: dict[str, int], rewordings: set[tuple[str, int]]
) -> None:
    assert list_replaced(FAMILY, ConversationId(conversation)) == replaced
    assert list_rewordings(FAMILY, ConversationId(conversation)) == rewordings
