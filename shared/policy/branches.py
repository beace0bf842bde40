"""Which conversations share which messages: decided from the family of a conversation.

A branch begins later than the conversation that it branched from does itself. So the messages of a
conversation belong to a chain of conversations, each from where it branched on.
"""

from __future__ import annotations

from collections.abc import Sequence

from shared.models import Branch, ConversationId, Fork, Span


def parent_of_branch(family: Sequence[Branch], own_id: ConversationId, sequence: int) -> Branch:
    """Where a branch at `sequence` of conversation `own_id` begins.

    The conversation has its own messages from where it branched on. A branch at an earlier message,
    or at the same, is one of the conversation that it branched from.
    """
    by_id = {one.conversation_id: one for one in family}
    found = by_id[own_id]
    while found.branched_from is not None and sequence <= found.branched_at:
        found = by_id[found.branched_from]
    return found


def list_forks(family: Sequence[Branch], own_id: ConversationId) -> list[Fork]:
    """The messages of conversation `own_id` that another conversation has in other words."""
    by_id = {one.conversation_id: one for one in family}
    line: list[tuple[Branch, int | None]] = []  # each with where its messages end in this line
    end: int | None = None
    one = by_id[own_id]
    while True:
        line.append((one, end))
        if one.branched_from is None:
            break
        end, one = one.branched_at, by_id[one.branched_from]
    found = [fork for part, until in line for fork in _forks_of(family, part, until, own_id)]
    return sorted(found, key=lambda fork: fork.sequence)


def _forks_of(
    family: Sequence[Branch], part: Branch, until: int | None, own_id: ConversationId
) -> list[Fork]:
    """The forks in the messages that `part` gives to the line, and the one where the line leaves.

    The line itself stands in its group under the id of the shown conversation.
    """
    children = [one for one in family if one.branched_from == part.conversation_id]
    forks = []
    for sequence in sorted({one.branched_at for one in children}):
        if until is not None and sequence > until:
            break
        group = [one for one in children if one.branched_at == sequence]
        ids = [part.conversation_id, *(one.conversation_id for one in group)]
        leaves_here = until is not None and sequence == until
        current = _place_of_line(family, group, own_id) if leaves_here else 0
        ids[current] = own_id
        forks.append(Fork(sequence=sequence, branches=tuple(ids), current=current))
    return forks


def _place_of_line(
    family: Sequence[Branch], group: Sequence[Branch], own_id: ConversationId
) -> int:
    """The place of the line in a group whose first place is its origin's."""
    by_id = {one.conversation_id: one for one in family}
    above = {own_id}
    one = by_id[own_id]
    while one.branched_from is not None:
        one = by_id[one.branched_from]
        above.add(one.conversation_id)
    places = [index for index, child in enumerate(group, 1) if child.conversation_id in above]
    return places[0]


def list_shared(family: Sequence[Branch], own_id: ConversationId) -> dict[ConversationId, Span]:
    """By conversation, the messages that it has of those of conversation `own_id`.

    Only those that are not copies there: each message is in one of these spans at most.
    """
    by_id = {one.conversation_id: one for one in family}
    shared: dict[ConversationId, Span] = {}
    one = by_id[own_id]
    while one.branched_from is not None:
        parent = by_id[one.branched_from]
        shared[parent.conversation_id] = Span(start=parent.branched_at, end=one.branched_at - 1)
        one = parent
    return shared


def list_holders(
    family: Sequence[Branch], own_id: ConversationId, sequence: int
) -> list[ConversationId]:
    """All conversations that have message `sequence` of conversation `own_id`."""
    by_id = {one.conversation_id: one for one in family}
    origin = by_id[own_id]
    while origin.branched_from is not None and sequence < origin.branched_at:
        origin = by_id[origin.branched_from]
    holders = [origin.conversation_id]
    for holder in holders:  # grows while it is read
        holders += [
            one.conversation_id
            for one in family
            if one.branched_from == holder and sequence < one.branched_at
        ]
    return sorted(holders)


def choose_heir(family: Sequence[Branch], gone: ConversationId) -> Branch | None:
    """The branch that shares most with conversation `gone`, the oldest of several."""
    children = [one for one in family if one.branched_from == gone]
    return max(children, key=lambda one: one.branched_at, default=None)
