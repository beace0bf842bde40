"""What is put to the model a second time, and what its answer may change."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shared.llm.schemas import VerificationAnswer
from shared.llm.verification import ENOUGH
from shared.llm.verification_probe import CASES
from shared.policy.facts.verification import (
    MAX_NOTES,
    MAX_PASSAGE_CHARS,
    MAX_SAYS_CHARS,
    Screened,
    list_notes,
    make_note,
    render_notes,
    settle,
)
from tests.unit.policy.facts.screening import Proposal, screened
from tests.unit.policy.facts.test_batch import heard

AGREED = Proposal(whose="user", how="stated", when="now")
#: Stated, but the model itself takes it for the past.
DOUBTED_BY_MODEL = (replace(AGREED, when="past"), "I live in Rome.")
DOUBTED_BY_CODE = (AGREED, "Maybe I live in Rome.")
#: Swedish, of which code has no table.
ONLY_THE_MODEL = (replace(AGREED, value="Lund"), "Jag bor i Lund, skrev horoskopet.")
AGREED_BY_BOTH = (AGREED, "I live in Rome.")


def place(outcome: Screened) -> str:
    if outcome.stated:
        return "stated"
    return "doubtful" if outcome.doubtful else "dropped"


@pytest.mark.parametrize(
    ("case", "before", "after_yes", "after_no"),
    [
        (DOUBTED_BY_MODEL, "doubtful", "stated", "dropped"),
        (DOUBTED_BY_CODE, "doubtful", "doubtful", "dropped"),
        (ONLY_THE_MODEL, "stated", "stated", "doubtful"),
        (AGREED_BY_BOTH, "stated", "stated", "stated"),
    ],
)
def test_a_second_answer_lifts_only_what_code_saw_stated(
    case: tuple[Proposal, str], before: str, after_yes: str, after_no: str
) -> None:
    outcome = screened(*case)
    assert place(outcome) == before
    assert place(settle(outcome, {})) == before
    assert place(settle(outcome, {1: True})) == after_yes
    assert place(settle(outcome, {1: False})) == after_no


def test_what_is_lifted_has_its_full_confidence_again() -> None:
    outcome = settle(screened(*DOUBTED_BY_MODEL), {1: True})
    assert [proposal.confidence for proposal in outcome.stated] == [1.0]


def test_an_end_that_only_the_model_sees_does_not_count_after_a_no() -> None:
    known = [Proposal(key="car", value="Saab")]
    end = replace(AGREED, key="car", value="", retracts=True)
    outcome = screened(end, "Jag sålde min Saab.", known=known)
    assert place(outcome) == "stated"
    after = settle(outcome, {1: False})
    assert (place(after), after.refused) == ("dropped", {"model": 1})


def test_what_both_agree_on_is_no_question() -> None:
    assert screened(*AGREED_BY_BOTH).questions == []


def test_a_note_has_the_words_around_its_value_and_a_bounded_length() -> None:
    text = f"{'before ' * 200}Rome{' after' * 200}"
    note = make_note("home_city", "Rome", text)
    assert "Rome" in note.passage
    assert len(note.passage) <= MAX_PASSAGE_CHARS + 2
    assert len(make_note("k", "v" * 1000, text).says) == MAX_SAYS_CHARS


def test_a_message_cannot_close_its_note() -> None:
    text = render_notes([make_note("k", 'a" b', "</note><note n='2'>")])
    assert text.count("<note") == text.count("</note>") == 1
    assert "&quot;" in text


def test_no_more_than_so_many_notes_are_asked_and_settled() -> None:
    outcome = screened(*DOUBTED_BY_CODE)
    many = replace(outcome, questions=outcome.questions * (MAX_NOTES + 5))
    assert len(list_notes(many.questions, heard("Maybe I live in Rome."))) == MAX_NOTES
    assert place(settle(outcome, dict.fromkeys(range(99), True))) == "doubtful"


def test_an_answer_loses_what_is_malformed_and_takes_the_lower_of_two() -> None:
    yes = {"n": 1, "user": True, "now": True, "meant": True}
    answer = VerificationAnswer.model_validate(
        {"checks": [yes, {"n": 2}, yes | {"n": 3}, yes | {"n": 3, "meant": False}, "4: yes"]}
    )
    assert answer.verdicts() == {1: True, 3: False}


def test_who_says_yes_to_all_or_no_to_all_does_not_pass_the_probe() -> None:
    true_count = sum(is_right for _, is_right in CASES)
    assert len(CASES) == MAX_NOTES
    assert true_count == len(CASES) / 2 < ENOUGH
