"""What one candidate does to the fact on record."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shared.models import Forgotten
from shared.policy.facts.conflict import faded_confidence
from shared.policy.facts.values import fingerprint
from tests.unit.policy.facts.ledger import USER, Ledger, candidate, instant

NAME = ("identity", "name")


def test_the_documents_example() -> None:
    ledger = Ledger()
    assert ledger.hear(candidate("Alex", 5, confidence=1.0)) == "insert"
    assert ledger.hear(candidate("Al", 50, confidence=0.6)) == "ignore"
    assert ledger.active == {NAME: "Alex"}
    assert ledger.hear(candidate("Alexander", 80, confidence=0.95)) == "replace"
    assert ledger.active == {NAME: "Alexander"}
    old, new = ledger.slot(*NAME)
    assert (old.valid_from, old.valid_to, old.superseded_by) == (
        instant(5),
        instant(80),
        new.fact_id,
    )


def test_a_tie_goes_to_what_was_said_later() -> None:
    ledger = Ledger()
    ledger.hear(candidate("Rome", 1, confidence=0.8))
    assert ledger.hear(candidate("Bern", 1001, confidence=0.4)) == "replace"


def test_just_below_a_tie_is_ignored() -> None:
    ledger = Ledger()
    ledger.hear(candidate("Rome", 1, confidence=0.8))
    assert ledger.hear(candidate("Bern", 1001, confidence=0.399)) == "ignore"


@pytest.mark.parametrize("again", ["Alexander", " alexander ", "ALEXANDER.", "“Alexander”"])
def test_the_same_value_confirms(again: str) -> None:
    ledger = Ledger()
    ledger.hear(candidate("Alexander", 5, confidence=0.7))
    assert ledger.hear(candidate(again, 900, confidence=0.9)) == "confirm"
    (fact,) = ledger.versions
    assert (fact.value, fact.confidence, fact.confirmed_at_turn) == ("Alexander", 0.9, 900)


def test_a_weaker_confirmation_does_not_weaken_but_keeps_fresh() -> None:
    ledger = Ledger()
    ledger.hear(
        candidate("Alexander", 5, confidence=1.0), candidate("Alexander", 900, confidence=0.5)
    )
    assert ledger.hear(candidate("Al", 950, confidence=0.69)) == "ignore"


def test_the_newest_plain_statement_wins_over_an_older_one_that_was_surer() -> None:
    ledger = Ledger()
    ledger.hear(candidate("Alice", 5, confidence=1.0))
    assert ledger.hear(candidate("Bob", 6, confidence=0.8)) == "replace"
    assert ledger.active == {NAME: "Bob"}


def test_confidence_halves_with_each_half_life_and_never_grows() -> None:
    ledger = Ledger()
    ledger.hear(candidate("Alex", 10, confidence=0.8))
    (fact,) = ledger.versions
    assert faded_confidence(fact, 1010, 1000) == pytest.approx(0.4)
    assert faded_confidence(fact, 2010, 1000) == pytest.approx(0.2)
    assert faded_confidence(fact, 3, 1000) == 0.8


def test_statements_count_in_the_order_in_which_they_were_made() -> None:
    """Two conversations' jobs may run in either order."""
    late_first = Ledger()
    assert late_first.hear(candidate("Bern", 9), candidate("Rome", 8)) == "ignore"
    in_order = Ledger()
    in_order.hear(candidate("Rome", 8), candidate("Bern", 9))
    assert late_first.active == in_order.active == {NAME: "Bern"}


def test_an_old_statement_does_not_overrule_one_that_was_confirmed_since() -> None:
    ledger = Ledger()
    ledger.hear(candidate("Rome", 1), candidate("Rome", 9))
    assert ledger.hear(candidate("Bern", 5)) == "ignore"


def test_the_same_message_read_again_changes_nothing() -> None:
    ledger = Ledger()
    ledger.hear(candidate("Rome", 1), candidate("Bern", 2))
    before = ledger.active
    assert ledger.hear(candidate("Bern", 2)) == "confirm"
    assert ledger.hear(candidate("Basel", 2)) == "ignore"
    assert ledger.hear(candidate("Rome", 1)) == "ignore"
    assert ledger.active == before


def test_a_retraction_closes_and_replaces_with_nothing() -> None:
    ledger = Ledger()
    ledger.hear(candidate("Rome", 1))
    assert ledger.hear(candidate("", 2, retracts=True)) == "close"
    (fact,) = ledger.versions
    assert (fact.is_active, fact.valid_to, fact.superseded_by) == (False, instant(2), None)


def test_a_retraction_must_be_as_sure_as_a_replacement() -> None:
    ledger = Ledger()
    ledger.hear(candidate("Rome", 1, confidence=1.0))
    assert ledger.hear(candidate("", 2, confidence=0.5, retracts=True)) == "ignore"


def test_a_retraction_of_another_value_leaves_what_is_held() -> None:
    ledger = Ledger()
    ledger.hear(candidate("Rome", 1))
    assert ledger.hear(candidate("Berlin", 2, retracts=True)) == "ignore"
    assert ledger.hear(candidate("rome", 3, retracts=True)) == "close"


def test_what_was_retracted_is_learned_again_only_from_a_later_statement() -> None:
    ledger = Ledger()
    ledger.hear(candidate("Rome", 1), candidate("", 5, retracts=True))
    assert ledger.hear(candidate("Rome", 3)) == "ignore"
    assert ledger.hear(candidate("Rome", 6)) == "insert"


def test_a_retraction_of_nothing_is_ignored() -> None:
    assert Ledger().hear(candidate("", 1, retracts=True)) == "ignore"


def forgotten(value: str, said_until: int, forgotten_at: int) -> Forgotten:
    return Forgotten(
        category="identity",
        key="name",
        fingerprint=fingerprint(USER, value),
        said_until=instant(said_until),
        forgotten_at=instant(forgotten_at),
    )


@pytest.mark.parametrize(
    ("statement", "verdict"),
    [
        (candidate("Alex", 5), "ignore"),  # the message that it came from
        (candidate("Alexei", 5), "ignore"),  # the same message, read otherwise
        (candidate("alex.", 8), "ignore"),  # said again before it was deleted
        (candidate("Alex", 8, key="nickname"), "ignore"),  # under another key
        (candidate("Boris", 8), "insert"),  # another value that was still to be read
        (candidate("Alex", 11), "insert"),  # said anew since
        (candidate("Alex", 5, key="dog_name", category="preference"), "insert"),
    ],
)
def test_what_was_deleted_stays_deleted_until_it_is_said_anew(
    statement: object, verdict: str
) -> None:
    ledger = Ledger(forgotten=[forgotten("Alex", 5, 10)])
    assert ledger.hear(statement) == verdict  # type: ignore[arg-type]


def test_a_mark_holds_no_text_and_differs_between_users() -> None:
    mark = forgotten("Alexander the Great", 1, 2)
    assert "lexander" not in repr(replace(mark, key="x"))
    assert fingerprint("ada", "Rome") != fingerprint("bob", "Rome")
    assert fingerprint("ada", "Rome ") == fingerprint("ada", "rome")
