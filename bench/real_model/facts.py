"""Facts from sixty messages, ten of them not English: `python -m bench.real_model facts`.

A new user says each message, and the facts job reads it with the real model. Prints how many of the
stated facts were believed, only suggested, or missing, and what was believed or suggested though no
message states it.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

from prometheus_client import REGISTRY

from bench.harness.services import open_services
from bench.real_model.model import real_model_settings
from shared.derivations.kinds import do_job
from shared.models import Candidate, Category, Fact, Suggestion, UserId
from shared.policy.facts.proposals import Refusal
from shared.services import Services
from shared.store import users
from shared.store.facts import suggestions
from shared.store.facts import version_changes as fact_changes
from shared.store.facts import versions as fact_versions
from tests.integration.conversing import Conversing

METRIC = "throughline_facts_refused_total"
DATA = Path(__file__).with_name("facts.json")
BEFORE = datetime(2026, 1, 1, tzinfo=UTC)
#: The last four: believed and suggested though no message states it, ended, and to end.
COLUMNS = ("stated", "believed", "suggested", "missing", "false", "odd", "ended", "ends")


@dataclass(frozen=True, kw_only=True)
class Case:
    """`states` are patterns for (key, value); `ends` are the keys whose known value ends."""

    kind: str
    text: str
    states: tuple[tuple[str, str], ...]
    held: tuple[tuple[Category, str, str], ...] = ()
    ends: tuple[str, ...] = ()
    language: str = "English"


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What one message led to. `facts_left` are the former facts that still hold."""

    case: Case
    stored: Sequence[Fact]
    suggested: Sequence[Suggestion]
    facts_left: Sequence[Fact]

    def is_believed(self, state: tuple[str, str]) -> bool:
        return any(_fits(state, fact) for fact in self.stored)

    @property
    def believed_count(self) -> int:
        return sum(map(self.is_believed, self.case.states))

    @property
    def suggested_count(self) -> int:
        others = [state for state in self.case.states if not self.is_believed(state)]
        return sum(any(_fits(state, each) for each in self.suggested) for state in others)

    @property
    def missing_count(self) -> int:
        return len(self.case.states) - self.believed_count - self.suggested_count

    def unstated(self, facts: Sequence[Fact | Suggestion]) -> list[Fact | Suggestion]:
        return [f for f in facts if not any(_fits(s, f) for s in self.case.states)]

    @property
    def ended(self) -> int:
        still = {fact.key for fact in self.facts_left}
        return sum(key not in still for key in self.case.ends)

    @property
    def lost(self) -> list[str]:
        """Former facts that are gone although the message does not end them."""
        still = {fact.key for fact in (*self.facts_left, *self.stored)}
        return [key for _, key, _ in self.case.held if key not in (*still, *self.case.ends)]


def list_cases() -> list[Case]:
    read = json.loads(DATA.read_text(encoding="utf-8"))
    return [
        Case(
            **case
            | {
                "states": tuple(tuple(state) for state in case["states"]),
                "held": tuple(tuple(fact) for fact in case.get("held", ())),
                "ends": tuple(case.get("ends", ())),
            }
        )
        for case in read
    ]


def main() -> None:
    settings = real_model_settings()
    if settings is None:
        return
    with open_services() as services:
        outcomes = []
        for number, case in enumerate(list_cases()):
            outcomes.append(read_message(services, case, UserId(f"user-{number}")))
            print_outcome(outcomes[-1])
    print_table(outcomes)


def read_message(services: Services, case: Case, user_id: UserId) -> Outcome:
    with services.database.transaction() as connection:
        users.ensure_user(connection, user_id)
        known_facts = [
            fact_changes.add_fact(connection, user_id, _candidate(fact)) for fact in case.held
        ]
    conversing = Conversing(services, user_id=user_id)
    conversing.round(case.text)
    for job_id in conversing.due_of("facts"):
        do_job(services, "facts", job_id)
    with services.database.transaction() as connection:
        active = fact_versions.list_facts(
            connection, user_id, category=None, with_history=False, as_of=None
        )
        suggested = suggestions.list_suggestions(connection, user_id)
    known_ids = {fact.fact_id for fact in known_facts}
    return Outcome(
        case=case,
        stored=[fact for fact in active if fact.fact_id not in known_ids],
        suggested=suggested,
        facts_left=[fact for fact in active if fact.fact_id in known_ids],
    )


def print_outcome(outcome: Outcome) -> None:
    case = outcome.case
    print(f"{case.kind}, {case.language}: {case.text!r}", flush=True)
    for fact in outcome.stored:
        mark = "  !" if outcome.unstated([fact]) else "  +"
        print(f"{mark} {fact.category} {fact.key} = {fact.value}")
    for suggestion in outcome.suggested:
        print(f"  ? {suggestion.category} {suggestion.key} = {suggestion.value}")
    missed = outcome.missing_count
    if missed or outcome.lost or outcome.ended < len(case.ends):
        print(f"  missed {missed}, ended {outcome.ended} of {len(case.ends)}, lost {outcome.lost}")


def print_table(outcomes: Sequence[Outcome]) -> None:
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        groups[outcome.case.kind].append(outcome)
        if outcome.case.language != "English":
            groups["(not English)"].append(outcome)
    print(f"\n{'':16}", *(f"{name:>9}" for name in COLUMNS), "        n")
    for name, members in [*groups.items(), ("all", list(outcomes))]:
        print(f"{name:16}", *(f"{count:9}" for count in _row(members)), f"{len(members):9}")
    reasons = [reason for literal in get_args(Refusal) for reason in get_args(literal)]
    refused = {reason: _refused(reason) for reason in reasons}
    print("refused:", ", ".join(f"{reason} {count}" for reason, count in refused.items() if count))
    print("held facts lost:", sum(len(outcome.lost) for outcome in outcomes))


def _row(members: Sequence[Outcome]) -> Sequence[int]:
    """In the order of `COLUMNS`."""
    return (
        sum(len(outcome.case.states) for outcome in members),
        sum(outcome.believed_count for outcome in members),
        sum(outcome.suggested_count for outcome in members),
        sum(outcome.missing_count for outcome in members),
        sum(len(outcome.unstated(outcome.stored)) for outcome in members),
        sum(len(outcome.unstated(outcome.suggested)) for outcome in members),
        sum(outcome.ended for outcome in members),
        sum(len(outcome.case.ends) for outcome in members),
    )


def _refused(reason: str) -> int:
    return int(REGISTRY.get_sample_value(METRIC, {"reason": reason}) or 0)


def _fits(state: tuple[str, str], fact: Fact | Suggestion) -> bool:
    key, value = state
    return bool(re.search(key, fact.key) and re.search(value, fact.value, re.IGNORECASE))


def _candidate(fact: tuple[Category, str, str]) -> Candidate:
    category, key, value = fact
    return Candidate(
        category=category,
        key=key,
        value=value,
        confidence=1.0,
        importance=0.8,
        retracts=False,
        said_at=BEFORE,
        turn=0,
        source_conversation_id=None,
        source_sequence=None,
    )
