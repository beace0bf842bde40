"""What other programs no longer show: replies that were written again, and edited messages.

Another reply in the same place becomes a variant of the shown one. Another way to go on becomes a
branch, a conversation of its own that shares its beginning with the shown one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from shared.user_data.imports.past_conversation import (
    PastBranch,
    PastConversation,
    PastVariant,
    Utterance,
)


def join_branches(
    shown: PastConversation, others: Iterable[tuple[str, PastConversation]]
) -> list[PastConversation]:
    """The shown one with its variants, then the branches. `others` are by the ids of their ends."""
    utterances, branches = list(shown.utterances), []
    for end, other in others:
        shared = _count_shared(shown.utterances, other.utterances)
        if shared == len(other.utterances):
            continue
        if _is_other_reply(shown.utterances, other.utterances, shared):
            reply = utterances[shared]
            variant = _variant(other.utterances[shared])
            utterances[shared] = replace(reply, variants=(*reply.variants, variant))
        else:
            branches.append(_branch(shown, end, other, shared))
    return [replace(shown, utterances=tuple(utterances)), *branches]


def _count_shared(shown: Sequence[Utterance], other: Sequence[Utterance]) -> int:
    """How many utterances both begin with."""
    pairs = enumerate(zip(shown, other, strict=False))
    return next(
        (
            number
            for number, (left, right) in pairs
            if (left.role, left.content) != (right.role, right.content)
        ),
        min(len(shown), len(other)),
    )


def _is_other_reply(shown: Sequence[Utterance], other: Sequence[Utterance], shared: int) -> bool:
    """Whether the other one ends with another reply, of a single part, to the same message."""
    roles = [utterance.role for utterance in shown[max(0, shared - 1) : shared + 2]]
    return (
        len(other) == shared + 1
        and other[shared].role == "assistant"
        and roles in (["user", "assistant"], ["user", "assistant", "user"])
    )


def _variant(reply: Utterance) -> PastVariant:
    return PastVariant(
        content=reply.content,
        said_at=reply.said_at,
        status=reply.status,
        model=reply.model,
        error=reply.error,
        finish_reason=reply.finish_reason,
        rating=reply.rating,
    )


def _branch(
    shown: PastConversation, end: str, other: PastConversation, shared: int
) -> PastConversation:
    own_id = shown.own_ids[0] if shown.own_ids else ""
    return replace(
        other,
        source_key=f"{shown.source_key}#{end}",
        own_ids=(),
        is_pinned=False,
        branch=PastBranch(
            source_key=shown.source_key, conversation_id=own_id, at=shared, is_hidden=True
        ),
        left_out={},
    )
