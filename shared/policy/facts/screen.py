"""What a model proposes, held against what was said: to keep, to ask about, or to refuse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Literal, cast

from shared.models import Category, Heard
from shared.policy.facts.conduct import needs_consent
from shared.policy.facts.grounding.evidence import Backing, Text, back, list_parts, overlap
from shared.policy.facts.proposals import Claimed, Proposed
from shared.policy.facts.slots import normalize_slot
from shared.policy.facts.stance.clauses import Clause, read_clauses
from shared.policy.facts.stance.foreign import is_play, without_foreign
from shared.policy.facts.stance.judgement import (
    BEST_FIRST,
    choose_clauses,
    clause_words,
    ends_something,
    judge_clause,
    may_end,
)
from shared.policy.facts.stance.person import Stance, names_known_person

#: Why a candidate is refused; the label of the metric, so there is no text in it.
Refusal = Literal[
    "ungrounded",
    "quoted",
    "play",
    "question",
    "hypothetical",
    "someone_else",
    "negated",
    "ended",
    "misplaced",
]
BACKINGS: tuple[Backing, ...] = ("none", "part", "whole")
DOUBTFUL_CONFIDENCE = 0.5  # at most, of what is only suggested


@dataclass(frozen=True, kw_only=True)
class Grounded:
    """A proposal in its category; once a message supports it, `seq` is that message's."""

    category: Category
    key: str
    value: str
    confidence: float
    importance: float
    seq: int
    retracts: bool


@dataclass(frozen=True, kw_only=True)
class Screened:
    """`stated` are facts, `doubtful` are for the user to confirm."""

    stated: list[Grounded]
    doubtful: list[Grounded]
    refused: Counter[Refusal]


@dataclass(frozen=True)
class Spoken:
    """A message, indexed once: all of it, and what the user says there in their own voice."""

    message: Heard
    whole: Text = field(init=False)
    own: Text = field(init=False)
    clauses: tuple[Clause, ...] = field(init=False)
    is_play: bool = field(init=False)

    def __post_init__(self) -> None:
        said = self.message.created_at.date()
        own = without_foreign(self.message.content)
        object.__setattr__(self, "whole", Text(self.message.content, said))
        object.__setattr__(self, "own", Text(own, said))
        object.__setattr__(self, "clauses", read_clauses(own))
        object.__setattr__(self, "is_play", is_play(self.message.content))


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """On one message: how much of a value it says, and in which clause and stance."""

    spoken: Spoken
    backing: Backing
    clause: Clause | None
    stance: Stance

    def rank(self, cited: int) -> tuple[int, int, bool, int]:
        """The largest is the message meant: of equals the cited one, else the newest."""
        sequence = self.spoken.message.sequence_number
        return (
            BACKINGS.index(self.backing),
            -BEST_FIRST.index(self.stance),
            sequence == cited,
            sequence,
        )


def screen(
    proposed: Sequence[Proposed], heard: Sequence[Heard], known: Sequence[Claimed], sure: float
) -> Screened:
    """Each proposal is stated, doubtful or refused; a wrong `seq` is put right.

    What a model is less sure of than `sure` is doubtful, too.
    """
    spoken = [Spoken(message) for message in heard]
    values, on_record = _values_by_slot(proposed, known), _values_by_slot((), known)
    out = Screened(stated=[], doubtful=[], refused=Counter())
    for each in proposed:
        fact = _in_its_category(each)
        slot = normalize_slot(fact.category, fact.key, "")
        held = values.get(slot, ())
        if fact.retracts and _is_end(fact, held, spoken):
            _end(fact, held, spoken, out)
        elif fact.value:
            _state(fact, on_record.get(slot, ()), spoken, sure, out)
        else:
            out.refused["ungrounded"] += 1
    return out


def _in_its_category(fact: Proposed) -> Grounded:
    """An allergy is a constraint, whatever the model calls it."""
    category, _ = normalize_slot(fact.category, fact.key, "")
    return Grounded(
        category=category,
        key=fact.key,
        value=fact.value,
        confidence=fact.confidence,
        importance=fact.importance,
        seq=fact.seq,
        retracts=fact.retracts,
    )


def _state(
    fact: Grounded, held: Sequence[str], spoken: Sequence[Spoken], sure: float, out: Screened
) -> None:
    verdict = _find_message(fact, spoken)
    if verdict and not names_known_person(fact, [each.clauses for each in spoken], held):
        out.refused["misplaced"] += 1
    elif verdict is None or verdict.clause is None:
        out.refused["quoted" if _stands_in_foreign(fact, spoken) else "ungrounded"] += 1
    elif verdict.spoken.is_play:
        out.refused["play"] += 1
    elif verdict.stance == "stated" and not _is_doubtful(fact, verdict, verdict.clause, sure):
        out.stated.append(_ground(fact, verdict.spoken, fact.confidence))
    elif verdict.stance in ("stated", "doubtful"):
        confidence = min(fact.confidence, DOUBTFUL_CONFIDENCE)
        out.doubtful.append(_ground(fact, verdict.spoken, confidence))
    else:
        out.refused[cast("Refusal", verdict.stance)] += 1


def _find_message(fact: Grounded, spoken: Sequence[Spoken]) -> Verdict | None:
    """The message that says the value best, whichever the model has named."""
    verdicts = [verdict for each in spoken if (verdict := _look(fact, each))]
    return max(verdicts, key=lambda verdict: verdict.rank(fact.seq), default=None)


def _look(fact: Grounded, spoken: Spoken) -> Verdict | None:
    backing = back(fact.value, spoken.own)
    if backing == "none":
        return None
    judged = [(judge_clause(fact, c), c) for c in choose_clauses(fact.value, spoken.clauses)]
    # What is told in other words (a date, say) stands in no clause more than in another.
    judged = judged or [(judge_clause(fact, clause), clause) for clause in spoken.clauses]
    if not judged:
        return None
    stance, clause = min(judged, key=lambda each: BEST_FIRST.index(each[0]))
    return Verdict(spoken=spoken, backing=backing, clause=clause, stance=stance)


def _is_doubtful(fact: Grounded, verdict: Verdict, clause: Clause, sure: float) -> bool:
    return (
        verdict.backing == "part"
        or fact.confidence < sure
        or needs_consent(fact, clause, is_imported=verdict.spoken.message.is_imported)
    )


def _stands_in_foreign(fact: Grounded, spoken: Sequence[Spoken]) -> bool:
    return any(back(fact.value, each.whole) != "none" for each in spoken)


def _is_end(fact: Grounded, held: Sequence[str], spoken: Sequence[Spoken]) -> bool:
    """`retracts` with a value other than the one held is a replacement: "we renamed him Max"."""
    if not fact.value or any(_is_like(fact.value, value) for value in held):
        return True
    verdict = _find_message(fact, spoken)
    return verdict is None or verdict.stance in ("negated", "ended")


def _end(fact: Grounded, held: Sequence[str], spoken: Sequence[Spoken], out: Screened) -> None:
    """Only where a message speaks of the thing and says that something ended."""
    about = " ".join([fact.value, *held, fact.key.replace("_", " ")])
    ended = [each for each in spoken if _tells_end(each, about, fact)]
    if not ended:
        out.refused["ungrounded"] += 1
        return
    is_held = any(_is_like(fact.value, value) for value in held)
    chosen = max(ended, key=lambda e: (e.message.sequence_number == fact.seq, e.message.turn))
    out.stated.append(_ground(fact, chosen, fact.confidence, "" if is_held else fact.value))


def _tells_end(spoken: Spoken, about: str, fact: Grounded) -> bool:
    """In a language without a table it is enough that the thing is spoken of."""
    clauses = [c for c in spoken.clauses if may_end(fact, c)]
    marked = any(ends_something(clause) for clause in clauses)
    parts = list_parts(about)
    named = any(overlap(parts, clause_words(clause)) for clause in clauses)
    is_cited = spoken.message.sequence_number == fact.seq
    has_table = any(clause.marks for clause in clauses)
    return not spoken.is_play and ((marked and (named or is_cited)) or (named and not has_table))


def _is_like(one: str, other: str) -> bool:
    """One of two values says no more than the other: "Skoda", "a blue Skoda"."""
    if not one or not other:
        return False
    said = date.min
    return "whole" in (back(one, Text(other, said)), back(other, Text(one, said)))


def _values_by_slot(
    proposed: Sequence[Proposed], known: Sequence[Claimed]
) -> dict[tuple[str, str], list[str]]:
    """What is held, or will be once the same answer's other facts are learned."""
    found: dict[tuple[str, str], list[str]] = {}
    stated = [fact for fact in proposed if not fact.retracts]
    for fact in [*known, *stated]:
        found.setdefault(normalize_slot(fact.category, fact.key, ""), []).append(fact.value)
    return found


def _ground(
    fact: Grounded, spoken: Spoken, confidence: float, value: str | None = None
) -> Grounded:
    """With the message's own `seq`; `value` is given where it is an end's."""
    return replace(
        fact,
        value=fact.value if value is None else value,
        confidence=confidence,
        seq=spoken.message.sequence_number,
        retracts=value is not None,
    )
