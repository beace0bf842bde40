"""The record of one user in memory, changed as the store changes it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from shared.models import Candidate, Category, ConversationId, Fact, Forgotten, UserId
from shared.policy.facts.conflict import Judgement, Record, Verdict, judge

START = datetime(2026, 1, 1, tzinfo=UTC)
USER = UserId("ada")
HALF_LIFE = 1000


def instant(turn: int) -> datetime:
    """One turn a minute."""
    return START + timedelta(minutes=turn)


def candidate(
    value: str,
    turn: int = 1,
    *,
    confidence: float = 1.0,
    key: str = "name",
    category: Category = "identity",
    retracts: bool = False,
) -> Candidate:
    return Candidate(
        category=category,
        key=key,
        value=value,
        confidence=confidence,
        importance=0.7,
        retracts=retracts,
        said_at=instant(turn),
        turn=turn,
        source_conversation_id=ConversationId("c"),
        source_sequence=2 * turn,
    )


@dataclass
class Ledger:
    """All versions, in the order in which they were made."""

    versions: list[Fact] = field(default_factory=list)
    forgotten: list[Forgotten] = field(default_factory=list)

    def hear(self, *candidates: Candidate) -> Verdict:
        """The verdict on the last one."""
        judged = [self._take(each) for each in candidates]
        return judged[-1].verdict

    def hear_all(self, candidates: Iterable[Candidate]) -> None:
        for each in candidates:
            self._take(each)

    @property
    def active(self) -> dict[tuple[str, str], str]:
        return {(f.category, f.key): f.value for f in self.versions if f.is_active}

    def slot(self, category: str, key: str) -> list[Fact]:
        return [f for f in self.versions if (f.category, f.key) == (category, key)]

    def heads(self) -> dict[tuple[str, str], Fact]:
        """The active version, else the one that was closed last."""
        ordered = sorted(self.versions, key=lambda f: (f.is_active, f.valid_to or START, f.fact_id))
        return {(f.category, f.key): f for f in ordered}

    def _take(self, statement: Candidate) -> Judgement:
        record = Record(user_id=USER, heads=self.heads(), forgotten=self.forgotten)
        judged = judge(statement, record, HALF_LIFE)
        self._write(judged)
        return judged

    def _write(self, judged: Judgement) -> None:
        head, statement = judged.head, judged.candidate
        for opposite in judged.opposites:
            self._change(opposite, is_active=False, valid_to=statement.said_at)
        if judged.verdict == "insert":
            self._add(statement)
        if judged.verdict == "ignore" or head is None:
            return
        if judged.verdict == "confirm":
            self._change(head, **_confirmed(head, statement))
        elif judged.verdict == "close":
            self._change(head, is_active=False, valid_to=statement.said_at)
        elif judged.verdict == "replace":
            new = self._add(statement)
            self._change(
                head, is_active=False, valid_to=statement.said_at, superseded_by=new.fact_id
            )

    def _add(self, statement: Candidate) -> Fact:
        self.versions.append(
            Fact(
                fact_id=len(self.versions) + 1,
                category=statement.category,
                key=statement.key,
                value=statement.value,
                confidence=statement.confidence,
                importance=statement.importance,
                is_active=True,
                source_conversation_id=statement.source_conversation_id,
                source_sequence=statement.source_sequence,
                confirmed_at_turn=statement.turn,
                valid_from=statement.said_at,
                valid_to=None,
                superseded_by=None,
            )
        )
        return self.versions[-1]

    def _change(self, fact: Fact, **changes: object) -> None:
        self.versions[fact.fact_id - 1] = replace(fact, **changes)  # type: ignore[arg-type]


def _confirmed(head: Fact, statement: Candidate) -> dict[str, object]:
    return {
        "confidence": max(head.confidence, statement.confidence),
        "confirmed_at_turn": max(head.confirmed_at_turn, statement.turn),
        "confirmed_at": max(head.confirmed_at or head.valid_from, statement.said_at),
    }


def numbered(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The same, said at turns 1, 2, 3 …"""
    turns = itertools.count(1)
    return [replace(c, turn=(turn := next(turns)), said_at=instant(turn)) for c in candidates]
