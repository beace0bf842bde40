"""Which of several messages supports a proposal."""

from __future__ import annotations

from dataclasses import replace

from shared.policy.facts.proposals import Proposal
from shared.policy.facts.utterances import Support, Utterance, find_support
from tests.unit.policy.facts.test_batch import heard

HOME = Proposal(
    category="identity",
    key="home_city",
    value="Rome",
    confidence=1.0,
    importance=0.8,
    seq=0,
    retracts=False,
)


def support(proposal: Proposal, *texts: str) -> Support:
    result = find_support(proposal, [Utterance(message) for message in heard(*texts)])
    assert result is not None
    return result


def sequence_of(proposal: Proposal, *texts: str) -> int:
    return support(proposal, *texts).utterance.message.sequence_number


def test_of_two_messages_that_state_it_the_cited_one_supports_it() -> None:
    assert sequence_of(HOME, "I live in Rome.", "I live in Rome.") == 0


def test_where_the_cited_message_says_nothing_of_it_the_newest_supports_it() -> None:
    wrong = replace(HOME, seq=99)
    assert sequence_of(wrong, "I live in Rome.", "I live in Rome.", "Hello there.") == 2


def test_a_statement_comes_before_a_question_whichever_is_cited() -> None:
    result = support(HOME, "Do I live in Rome?", "I live in Rome.")
    assert (result.stance, result.utterance.message.sequence_number) == ("stated", 2)


def test_all_of_a_value_comes_before_a_part_of_it() -> None:
    job = replace(HOME, key="occupation", value="backend engineer")
    assert sequence_of(job, "I am an engineer.", "I am a backend engineer.") == 2


def test_a_value_that_no_message_says_has_no_support() -> None:
    utterances = [Utterance(message) for message in heard("I live in Oslo.")]
    assert find_support(HOME, utterances) is None
