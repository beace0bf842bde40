"""Turns utterances into rounds: user and assistant alternate, and each message has a time.

Consecutive utterances of one role become one message. If the assistant begins, a user message that
says so is put first. If the last message is the user's, a failed reply is added, which the user can
retry.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby

from shared.errors import UnreadableConversationError
from shared.models import Role
from shared.user_data.imports.past_conversation import PastConversation, Utterance

MAX_MESSAGE_CHARS = 1_000_000  # of one message after merging
ASSISTANT_BEGINS = "(The conversation begins with the assistant.)"
NO_REPLY = "The imported conversation ends before a reply."


def alternate(past: PastConversation, now: datetime) -> list[Utterance]:
    """Make the roles alternate, beginning with the user. Empty for an empty conversation.

    A missing time is taken from the utterance before; at the beginning from the conversation, or
    else from the first utterance with a time, or else it is `now`.
    """
    timed = _with_times(past, now)
    merged = [
        _merge(list(group)) for _, group in groupby(timed, key=lambda utterance: utterance.role)
    ]
    if not merged:
        return []
    if any(len(utterance.content) > MAX_MESSAGE_CHARS for utterance in merged):
        raise UnreadableConversationError("It holds a message that is too long.")
    first, last = merged[0], merged[-1]
    if first.role == "assistant":
        merged.insert(0, _filler("user", ASSISTANT_BEGINS, first))
    if last.role == "user":
        merged.append(replace(_filler("assistant", "", last), status="failed", error=NO_REPLY))
    return merged


def count_merged(utterances: Sequence[Utterance]) -> int:
    """How many utterances were merged into an earlier utterance."""
    groups = sum(1 for _ in groupby(utterances, key=lambda utterance: utterance.role))
    return len(utterances) - groups


def _with_times(past: PastConversation, now: datetime) -> Iterable[Utterance]:
    known = (utterance.said_at for utterance in past.utterances if utterance.said_at)
    previous = next(known, None) if past.created_at is None else past.created_at
    previous = previous or now
    for utterance in past.utterances:
        previous = utterance.said_at or previous
        yield replace(utterance, said_at=previous)


def _merge(group: list[Utterance]) -> Utterance:
    texts = [utterance.content for utterance in group if utterance.content]
    last = group[-1]
    return replace(
        group[0],
        content="\n\n".join(texts),
        name=last.name if len({utterance.name for utterance in group}) == 1 else None,
        status=last.status,
        model=last.model,
        error=last.error,
        rating=last.rating if len(group) == 1 else None,
        withheld_at=max(
            (utterance.withheld_at for utterance in group if utterance.withheld_at), default=None
        ),
        variants=last.variants if len(group) == 1 else (),  # of a merged reply there are none
        files=tuple(file for utterance in group for file in utterance.files),
        numbers=tuple(number for utterance in group for number in utterance.numbers),
    )


def _filler(role: Role, content: str, beside: Utterance) -> Utterance:
    return replace(
        beside, role=role, name=None, content=content, status="complete", model=None, error=None,
        rating=None, withheld_at=None, variants=(), files=(), numbers=(),
    )  # fmt: skip
