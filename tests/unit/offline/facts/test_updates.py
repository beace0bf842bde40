from __future__ import annotations

import time
from typing import Any

import pytest

from shared.offline.facts.plain_facts import find_facts
from shared.offline.prompt_parser import KnownFact, Utterance
from tests.unit.offline.telling import is_read, show, tell_apart, tell_at_once
from tests.unit.offline.update_near_misses import NEAR_HELD, NEAR_MISSES
from tests.unit.offline.update_sentences import SEEN, SEEN_HELD, SEEN_NO_NEWS
from tests.unit.offline.update_sentences_aside import ASIDE, ASIDE_HELD, ASIDE_NO_NEWS

WAYS = [tell_apart, tell_at_once]
READ_ASIDE = 40  # of 42


@pytest.mark.parametrize("tell", WAYS)
@pytest.mark.parametrize(("statement", "update", "former", "current"), SEEN)
def test_an_update_ends_the_former_value(
    statement: Any, update: Any, former: Any, current: Any, tell: Any
) -> None:
    ledger = tell(statement, update)

    assert is_read(ledger, former, current), show(ledger)


@pytest.mark.parametrize("remark", SEEN_NO_NEWS)
def test_what_only_sounds_like_an_update_changes_nothing(remark: Any) -> None:
    assert tell_apart(*SEEN_HELD, remark).active == tell_apart(*SEEN_HELD).active


@pytest.mark.parametrize("remark", NEAR_MISSES)
def test_a_near_miss_changes_nothing(remark: Any) -> None:
    assert tell_apart(*NEAR_HELD, remark).active == tell_apart(*NEAR_HELD).active


@pytest.mark.parametrize("tell", WAYS)
def test_the_forms_are_general(tell: Any) -> None:
    """Most of the sentences that were kept aside are read, too."""
    read = [
        is_read(tell(statement, update), former, now) for statement, update, former, now in ASIDE
    ]

    assert sum(read) >= READ_ASIDE


@pytest.mark.parametrize("remark", ASIDE_NO_NEWS)
def test_nothing_is_made_up_from_what_was_kept_aside(remark: Any) -> None:
    assert tell_apart(*ASIDE_HELD, remark).active == tell_apart(*ASIDE_HELD).active


@pytest.mark.parametrize(
    "update",
    [
        "We renamed the cat to Duke.",
        "I switched from tea to coffee.",
        "I sold the car.",
        "Bruno died.",
        "They moved the exam to Friday.",
    ],
)
def test_an_update_of_what_is_not_on_record_gives_no_fact(update: str) -> None:
    assert tell_apart(update).versions == []


def test_both_versions_are_kept_and_the_former_one_has_its_end() -> None:
    former, current = tell_apart("My cat is called Ziggy.", "The cat is called Duke now.").versions

    assert (former.value, former.valid_to) == ("Ziggy", current.valid_from)
    assert former.superseded_by == current.fact_id


def test_an_updated_fact_can_be_updated_again_and_by_a_plain_statement() -> None:
    ledger = tell_apart(
        "My boss is called Ruth.",
        "My boss is Henrik now.",
        "My new boss is Amal.",
        "My boss is called Otto.",
    )

    assert [fact.value for fact in ledger.versions] == ["Ruth", "Henrik", "Amal", "Otto"]
    assert ledger.active == {("identity", "boss_name"): "Otto"}


def test_a_time_keeps_its_preposition() -> None:
    ledger = tell_apart("My flight is at 7:15.", "The flight has been delayed to 9:40.")

    assert ledger.active == {("identity", "flight"): "at 9:40"}


def test_another_taste_is_another_fact() -> None:
    ledger = tell_apart("I like tea.", "I switched from tea to coffee.")

    assert ledger.active == {("preference", "coffee"): "likes coffee"}


@pytest.mark.parametrize(
    ("sentence", "other"),
    [
        ("I like cats better than dogs.", "I like dogs better than cats."),
        ("I prefer trains to planes.", "I prefer planes to trains."),
        ("I like my eggs soft.", "I like my eggs hard."),
    ],
)
def test_the_other_way_round_replaces(sentence: str, other: str) -> None:
    ledger = tell_apart(sentence, other)

    assert len(ledger.versions) == 2
    assert len(ledger.active) == 1


@pytest.mark.parametrize(
    "other",
    ["I no longer live in Lima.", "I used to live in Lima.", "I don't live in Lima any more."],
)
def test_the_end_of_what_was_not_so_ends_nothing(other: str) -> None:
    assert tell_apart("I live in Rome.", other).active == {("identity", "home_city"): "Rome"}


def test_what_may_be_two_things_is_left_alone() -> None:
    statements = ("My cat is called Ziggy.", "My brother's cat is called Ziggy.")

    assert tell_apart(*statements, "Ziggy died.").active == tell_apart(*statements).active


def test_a_user_name_is_no_name() -> None:
    ledger = tell_apart("My name is Kim.", "My user name is redfox.")

    assert ledger.active == {("identity", "name"): "Kim", ("identity", "username"): "redfox"}


@pytest.mark.parametrize("part", ["the cat ", "my the ", "i switched from ", "no longer ", "Ann, "])
def test_updates_of_hostile_lengths_cost_no_time(part: str) -> None:
    known = [KnownFact(category="identity", key=f"cat_{n}", value="Rex") for n in range(40)]
    text = f"{part * (390 // len(part))}. " * 250
    began = time.process_time()

    find_facts([Utterance(seq=0, role="user", at="", text=text)], known)

    assert time.process_time() - began < 5
