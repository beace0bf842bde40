"""Which facts a tidying joins, which it ends, and which it asks about."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta

import pytest

from shared.models import Category, Fact
from shared.policy.facts.tidying import Pair, Plan, Told, plan_tidying
from tests.unit.policy.facts.ledger import instant


def fact(
    key: str, value: str, turn: int = 1, *, confidence: float = 1.0, category: Category = "identity"
) -> Fact:
    return Fact(
        fact_id=turn,
        category=category,
        key=key,
        value=value,
        confidence=confidence,
        importance=0.7,
        is_active=True,
        source_conversation_id=None,
        source_sequence=None,
        confirmed_at_turn=turn,
        valid_from=instant(turn),
        valid_to=None,
        superseded_by=None,
    )


def plan_of(facts: Iterable[Fact]) -> Plan:
    """None of them was said to hold until a day."""
    statements = [Told(fact=version, said_at=version.valid_from) for version in facts]
    return plan_tidying(statements, instant(1_000_000))


def values_of(pairs: list[Pair]) -> list[tuple[str, str]]:
    """The value that goes, and the one that stays."""
    return [(pair.fact.value, pair.other.value) for pair in pairs]


def test_the_same_thing_under_two_keys_is_joined_with_the_newest() -> None:
    old = fact("allergy_kiwi", "kiwi", 1, category="constraint")
    new = fact("kiwi_allergy", "Kiwi", 2, category="constraint")
    for facts in ([old, new], [new, old]):
        plan = plan_of(facts)
        assert plan.joins == [Pair(fact=old, other=new)]
        assert (plan.ends, plan.doubts) == ([], [])


def test_of_three_the_newest_stays() -> None:
    facts = [fact(key, "red", turn) for turn, key in enumerate(("color", "colour", "my_color"), 1)]
    assert [pair.other.key for pair in plan_of(facts).joins] == ["my_color", "my_color"]


def test_a_newer_value_of_the_same_thing_stays() -> None:
    plan = plan_of([fact("wife_name", "Ann", 2), fact("partner_name", "Eva", 1)])
    assert values_of(plan.joins) == [("Eva", "Ann")]


def test_a_plain_statement_stays_before_a_newer_mention() -> None:
    plan = plan_of([fact("car", "Skoda", 1), fact("vehicle", "Skoda", 2, confidence=0.5)])
    assert [pair.other.key for pair in plan.joins] == ["car"]


@pytest.mark.parametrize(("turn", "confidence"), [(2, 0.5), (1, 1.0)])
def test_what_no_date_resolves_is_asked(turn: int, confidence: float) -> None:
    other = fact("vehicle", "Fiat", turn, confidence=confidence)
    plan = plan_of([fact("car", "Skoda", 1), other])
    assert plan.joins == []
    assert {frozenset(pair) for pair in values_of(plan.doubts)} == {frozenset(("Skoda", "Fiat"))}


def test_a_newer_taste_ends_the_opposite() -> None:
    plan = plan_of([
        fact("likes_olives", "olives", 1, category="preference"),
        fact("dislikes_olives", "olives", 2, category="preference"),
    ])  # fmt: skip
    assert [pair.fact.key for pair in plan.ends] == ["likes_olives"]
    assert (plan.joins, plan.doubts) == ([], [])


def test_a_newer_limit_takes_the_place_of_another() -> None:
    plan = plan_of([
        fact("walking_limit", "at most 5 km", 2, category="constraint"),
        fact("max_walk_distance", "at most 10 km", 1, category="constraint"),
    ])  # fmt: skip
    assert values_of(plan.joins) == [("at most 10 km", "at most 5 km")]


@pytest.mark.parametrize(
    ("entry", "other"),
    [
        (("home_city", "Oslo", "identity"), ("birth_city", "Oslo", "identity")),
        (("cat_name", "Mia", "identity"), ("dog_name", "Mia", "identity")),
        (("mother_job", "nurse", "identity"), ("first_job", "waiter", "identity")),
        (("allergy_kiwi", "kiwi", "constraint"), ("allergy_nuts", "nuts", "constraint")),
        (("colour", "red", "identity"), ("color", "red", "preference")),
        (("weight_limit", "5 kg", "constraint"), ("time_limit", "5 hours", "constraint")),
    ],
)
def test_different_things_stay_apart(
    entry: tuple[str, str, Category], other: tuple[str, str, Category]
) -> None:
    facts = [
        fact(key, value, turn, category=category)
        for turn, (key, value, category) in enumerate((entry, other), 1)
    ]
    plan = plan_of(facts)
    assert (plan.joins, plan.ends, plan.doubts) == ([], [], [])


def test_what_the_user_has_undone_is_left_alone() -> None:
    undone = replace(fact("colour", "red", 2), tidied="joined")
    assert plan_of([undone, fact("color", "red", 1)]).joins == []


def test_what_was_said_to_hold_until_a_day_ends_when_that_day_is_over() -> None:
    stay = replace(fact("hotel", "the Ritz"), valid_until=date(2026, 1, 3))
    statements = [Told(fact=stay, said_at=stay.valid_from)]
    fourth = stay.valid_from.replace(day=4, hour=0, minute=0)
    assert plan_tidying(statements, fourth - timedelta(seconds=1)).ends == []
    [end] = plan_tidying(statements, fourth).ends
    assert (end.fact, end.reason, end.ends_at) == (stay, "expired", fourth)


def test_what_was_said_again_after_that_day_holds() -> None:
    stay = replace(
        fact("hotel", "the Ritz"),
        valid_until=date(2026, 1, 3),
        confirmed_at=instant(10 * 24 * 60),
    )
    statements = [Told(fact=stay, said_at=stay.valid_from)]
    assert plan_tidying(statements, instant(1_000_000)).ends == []
