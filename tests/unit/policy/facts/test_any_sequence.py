"""Properties of the record, whatever is said in whatever order."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from shared.models import Candidate
from shared.policy.facts.conflict import last_stated_at
from tests.unit.policy.facts.ledger import Ledger, candidate, numbered

SLOTS = [
    ("identity", "name"),
    ("preference", "tea"),
    ("constraint", "health"),
    ("constraint", "budget"),
    ("instruction", "tone"),
]
candidates = st.builds(
    lambda slot, value, turn, confidence, retracts: candidate(
        "" if retracts else value,
        turn,
        confidence=confidence,
        category=slot[0],
        key=slot[1],
        retracts=retracts,
    ),
    st.sampled_from(SLOTS),
    st.sampled_from(["one", "two", "Two.", "three", "4"]),
    st.integers(1, 40),
    st.floats(0.4, 1.0),
    st.booleans(),
)
sequences = st.lists(candidates, max_size=30)


@given(sequences)
def test_no_slot_ever_has_two_active_versions(sequence: list[Candidate]) -> None:
    ledger = Ledger()
    for each in sequence:
        ledger.hear(each)
        counted = Counter((f.category, f.key) for f in ledger.versions if f.is_active)
        assert set(counted.values()) <= {1}


@given(sequences)
def test_versions_chain_without_overlap(sequence: list[Candidate]) -> None:
    ledger = Ledger()
    for each in sequence:
        ledger.hear(each)
    by_id = {fact.fact_id: fact for fact in ledger.versions}
    for fact in ledger.versions:
        assert fact.is_active == (fact.valid_to is None)
        assert fact.valid_to is None or fact.valid_to > fact.valid_from
        if fact.superseded_by is not None:
            successor = by_id[fact.superseded_by]
            assert (successor.category, successor.key) == (fact.category, fact.key)
            assert successor.valid_from == fact.valid_to
    for slot in ledger.heads():
        versions = sorted(ledger.slot(*slot), key=lambda fact: fact.valid_from)
        for earlier, later in pairwise(versions):
            assert last_stated_at(earlier) <= later.valid_from


@given(sequences)
def test_reading_everything_twice_changes_nothing_that_is_active(sequence: list[Candidate]) -> None:
    ledger = Ledger()
    ordered = sorted(sequence, key=lambda each: each.said_at)
    for each in ordered:
        ledger.hear(each)
    before = ledger.active
    for each in ordered:
        ledger.hear(each)
    assert ledger.active == before


@given(st.lists(candidates.filter(lambda each: not each.retracts), max_size=20))
def test_no_constraint_that_may_stack_is_ever_dropped(sequence: list[Candidate]) -> None:
    ledger = Ledger()
    for each in numbered(sequence):
        ledger.hear(each)
    stacked = {each.value.strip(".").lower() for each in sequence if each.key == "health"}
    active_values = {
        value.strip(".").lower()
        for (_, key), value in ledger.active.items()
        if key.startswith("health")
    }
    assert active_values == stacked
