"""The conflict rule: decides how a candidate changes the fact on record in its slot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from shared.models import Candidate, Fact, Forgotten, UserId
from shared.policy.facts.same_thing import list_opposites
from shared.policy.facts.slots import choose_key
from shared.policy.facts.values import fingerprint, is_same_value

#: From here on a candidate is a plain statement, and the newest one holds. Below it is a mention.
PLAIN_CONFIDENCE = 0.7

Verdict = Literal["insert", "confirm", "replace", "close", "ignore"]


@dataclass(frozen=True, kw_only=True)
class Record:
    """What is on record about one user. `heads`: the newest version of each (category, key)."""

    user_id: UserId
    heads: Mapping[tuple[str, str], Fact]
    forgotten: Sequence[Forgotten]


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """`candidate` has the key of its slot; `head` is the newest version in this slot."""

    verdict: Verdict
    candidate: Candidate
    head: Fact | None
    #: Facts under other keys that the statement turns around.
    opposites: Sequence[Fact] = ()


def judge(candidate: Candidate, record: Record, half_life_turns: int) -> Judgement:
    """Judge a candidate from a chat."""
    in_slot = replace(candidate, key=choose_key(candidate, record.heads))
    head = record.heads.get((in_slot.category, in_slot.key))
    if is_forgotten(in_slot, record):
        return Judgement(verdict="ignore", candidate=in_slot, head=head)
    verdict = decide(in_slot, head, half_life_turns)
    opposites = list_opposites(in_slot, record.heads) if verdict in ("insert", "replace") else ()
    return Judgement(verdict=verdict, candidate=in_slot, head=head, opposites=opposites)


def decide(candidate: Candidate, head: Fact | None, half_life_turns: int) -> Verdict:
    """Decide how a candidate changes the fact on record.

    `head` is the newest version in the candidate's slot, active or not. Jobs may read messages in
    any order. So a statement that is not newer than the head may confirm it, but changes nothing
    else.
    """
    if head is None or not head.is_active:
        newer = head is None or candidate.said_at > last_stated_at(head)
        return "insert" if newer and not candidate.retracts else "ignore"
    same = is_same_value(candidate.value, head.value)
    if same and not candidate.retracts:
        return "confirm"
    if candidate.retracts and candidate.value and not same:
        return "ignore"  # the ended value is not the value on record
    if candidate.said_at <= last_stated_at(head):
        return "ignore"
    is_weak = candidate.confidence < PLAIN_CONFIDENCE
    if is_weak and candidate.confidence < faded_confidence(head, candidate.turn, half_life_turns):
        return "ignore"
    return "close" if candidate.retracts else "replace"


def faded_confidence(head: Fact, turn: int, half_life_turns: int) -> float:
    """The confidence that another value needs to replace this one.

    It halves with each half-life since the last confirmation, counted in turns.
    """
    elapsed = max(0, turn - head.confirmed_at_turn)
    decay: float = 0.5 ** (elapsed / half_life_turns)
    return head.confidence * decay


def last_stated_at(head: Fact) -> datetime:
    """When the user last stated, confirmed or ended this version."""
    if head.valid_to is not None:
        return head.valid_to
    return head.confirmed_at or head.valid_from


def is_forgotten(candidate: Candidate, record: Record) -> bool:
    """Whether the user has deleted this fact since the candidate was said."""
    own_fingerprint = fingerprint(record.user_id, candidate.value)
    return any(
        (mark.key == candidate.key and candidate.said_at <= mark.said_until)
        or (mark.fingerprint == own_fingerprint and candidate.said_at <= mark.forgotten_at)
        for mark in record.forgotten
        if mark.category == candidate.category
    )
