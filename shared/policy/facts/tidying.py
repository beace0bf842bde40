"""What a tidying does with the facts on record.

It ends those whose day has passed, and joins those that say the same thing. Each is compared with
those that were stated after it. A plain statement counts before a mention, whenever it was made.
What the user has undone (`Fact.tidied`) is left alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta

from shared.models import Fact, Tidied
from shared.policy.facts.conflict import PLAIN_CONFIDENCE, last_stated_at
from shared.policy.facts.same_thing import is_new_measure, is_opposite, is_same_thing
from shared.policy.facts.slots import may_stack
from shared.policy.facts.values import is_same_value


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two facts that say the same thing. One of them is to end."""

    fact: Fact
    #: The one that stays.
    other: Fact


@dataclass(frozen=True, kw_only=True)
class End:
    """A fact that is to end, with the reason and the time."""

    fact: Fact
    reason: Tidied
    ends_at: datetime


@dataclass(frozen=True, kw_only=True)
class Told:
    """A fact, and when it was said."""

    fact: Fact
    #: By the user's clock.
    said_at: datetime


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The changes that a tidying is to make."""

    #: They say the same thing, or the other one is a newer value of it.
    joins: list[Pair] = field(default_factory=list)
    ends: list[End] = field(default_factory=list)
    #: Nothing tells which of the two holds: the user is asked about the first.
    doubts: list[Pair] = field(default_factory=list)


def plan_tidying(statements: Sequence[Told], now: datetime) -> Plan:
    """Decide what to end and what to join. `statements` are the active facts of one user."""
    untouched = [statement for statement in statements if statement.fact.tidied is None]
    ends = [end for statement in untouched if (end := _find_end(statement)) and end.ends_at <= now]
    ended = {end.fact.fact_id for end in ends}
    plan = Plan(ends=ends)
    facts_left: list[Fact] = []
    facts = (statement.fact for statement in untouched if statement.fact.fact_id not in ended)
    for fact in sorted(facts, key=rank, reverse=True):
        if not any(_tidied(fact, other, plan) for other in facts_left):
            facts_left.append(fact)
    return plan


def _find_end(statement: Told) -> End | None:
    """When the day has passed until which the fact was said to hold, unless it was said again."""
    fact = statement.fact
    last_day = fact.valid_until
    if last_day is None:
        return None
    ends_at = datetime.combine(last_day + timedelta(1), time(), statement.said_at.tzinfo)
    is_later = last_stated_at(fact) < ends_at
    return End(fact=fact, reason="expired", ends_at=ends_at) if is_later else None


def _tidied(fact: Fact, other: Fact, plan: Plan) -> bool:
    """Whether `fact` goes because of `other`, which ranks before it."""
    if fact.category != other.category:
        return False
    pair = Pair(fact=fact, other=other)
    is_settled = last_stated_at(fact) < last_stated_at(other)
    if is_opposite(fact, other):
        if is_settled:
            ends_at = max(fact.valid_from, other.valid_from)
            plan.ends.append(End(fact=fact, reason="contradicted", ends_at=ends_at))
        return is_settled
    if not (is_same_thing(other, fact) or is_same_thing(fact, other)):
        return False
    if is_same_value(fact.value, other.value):
        plan.joins.append(pair)
        return True
    if may_stack(fact.category, fact.key) and not is_new_measure(fact.value, other.value):
        return False
    (plan.joins if is_settled else plan.doubts).append(pair)
    return is_settled


def rank(fact: Fact) -> tuple[bool, float, int]:
    """A sort key, greatest for the one that stays: a plain statement, then the newest."""
    is_plain = fact.confidence >= PLAIN_CONFIDENCE
    return is_plain, last_stated_at(fact).timestamp(), fact.fact_id
