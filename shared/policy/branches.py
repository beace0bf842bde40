"""Which conversations share which messages: decided from the family of a conversation.

A branch begins later than the conversation that it branched from does itself. So the messages of a
conversation belong to a chain of conversations, each from where it branched on.
"""

from __future__ import annotations

from collections.abc import Sequence

from shared.models import Branch, ConversationId, Fork, MessageKey, Span


def parent_of_branch(
    family: Sequence[Branch], conversation_id: ConversationId, sequence: int
) -> Branch:
    """Where a branch at `sequence` of `conversation_id` begins.

    The conversation has its own messages from where it branched on. A branch at an earlier message,
    or at the same, is one of the conversation that it branched from.
    """
    by_id = {branch.conversation_id: branch for branch in family}
    parent = by_id[conversation_id]
    while parent.branched_from is not None and sequence <= parent.branched_at:
        parent = by_id[parent.branched_from]
    return parent


def list_forks(family: Sequence[Branch], conversation_id: ConversationId) -> list[Fork]:
    """The messages of `conversation_id` that another conversation has in other words."""
    by_id = {branch.conversation_id: branch for branch in family}
    line: list[tuple[Branch, int | None]] = []  # each with where its messages end in this line
    end: int | None = None
    origin = by_id[conversation_id]
    while True:
        line.append((origin, end))
        if origin.branched_from is None:
            break
        end, origin = origin.branched_at, by_id[origin.branched_from]
    forks = [
        fork for part, until in line for fork in _forks_of(family, part, until, conversation_id)
    ]
    return sorted(forks, key=lambda fork: fork.sequence)


def _forks_of(
    family: Sequence[Branch], part: Branch, until: int | None, conversation_id: ConversationId
) -> list[Fork]:
    """The forks in the messages that `part` gives to the line, and the one where the line leaves.

    The line itself stands in its group under the id of the shown conversation.
    """
    children = [branch for branch in family if branch.branched_from == part.conversation_id]
    forks = []
    for sequence in sorted({branch.branched_at for branch in children}):
        if until is not None and sequence > until:
            break
        group = [branch for branch in children if branch.branched_at == sequence]
        ids = [part.conversation_id, *(branch.conversation_id for branch in group)]
        leaves_here = until is not None and sequence == until
        current = _place_of_line(family, group, conversation_id) if leaves_here else 0
        ids[current] = conversation_id
        forks.append(Fork(sequence=sequence, branches=tuple(ids), current=current))
    return forks


def _place_of_line(
    family: Sequence[Branch], group: Sequence[Branch], conversation_id: ConversationId
) -> int:
    """The place of the line in a group whose first place is its origin's."""
    by_id = {branch.conversation_id: branch for branch in family}
    above = {conversation_id}
    origin = by_id[conversation_id]
    while origin.branched_from is not None:
        origin = by_id[origin.branched_from]
        above.add(origin.conversation_id)
    places = [index for index, child in enumerate(group, 1) if child.conversation_id in above]
    return places[0]


def list_shared(
    family: Sequence[Branch], conversation_id: ConversationId
) -> dict[ConversationId, Span]:
    """By conversation, the messages that it has of those of `conversation_id`.

    Only those that are not copies there: each message is in one of these spans at most.
    """
    by_id = {branch.conversation_id: branch for branch in family}
    shared: dict[ConversationId, Span] = {}
    child = by_id[conversation_id]
    while child.branched_from is not None:
        parent = by_id[child.branched_from]
        shared[parent.conversation_id] = Span(start=parent.branched_at, end=child.branched_at - 1)
        child = parent
    return shared


def list_holders(
    family: Sequence[Branch], conversation_id: ConversationId, sequence: int
) -> list[ConversationId]:
    """All conversations that have message `sequence` of `conversation_id`."""
    by_id = {branch.conversation_id: branch for branch in family}
    origin = by_id[conversation_id]
    while origin.branched_from is not None and sequence < origin.branched_at:
        origin = by_id[origin.branched_from]
    holders = [origin.conversation_id]
    for holder in holders:  # grows while it is read
        holders += [
            branch.conversation_id
            for branch in family
            if branch.branched_from == holder and sequence < branch.branched_at
        ]
    return sorted(holders)


def list_replaced(
    family: Sequence[Branch], conversation_id: ConversationId
) -> dict[ConversationId, int]:
    """By branch, the first message that it has in place of those of `conversation_id`."""
    shared = list_shared(family, conversation_id)
    return {
        branch.conversation_id: (
            shared[branch.conversation_id].end + 1
            if branch.conversation_id in shared
            else branch.branched_at
        )
        for branch in family
        if branch.conversation_id != conversation_id
    }


def list_rewordings(family: Sequence[Branch], conversation_id: ConversationId) -> set[MessageKey]:
    """The messages that `conversation_id` has in other words."""
    return {
        MessageKey(branch, fork.sequence)
        for fork in list_forks(family, conversation_id)
        for branch in fork.branches
        if branch != conversation_id
    }
