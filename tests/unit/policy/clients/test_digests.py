"""The hashes by which a client's history is known again."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.policy.clients.client_messages import ClientRound, read_history
from shared.policy.clients.digests import (
    chains_of,
    digest_asked,
    digest_reply,
    digests_of_beginnings,
    normalise,
)

WORDS = st.text(alphabet="abc é\n", min_size=1, max_size=12).filter(str.strip)
TALKS = st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=6)
REASONING = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL)


def rounds_of(talk: list[tuple[str, str]], system: str = "") -> list[ClientRound]:
    messages = [{"role": "system", "content": system}] if system else []
    for question, reply in talk:
        messages += [{"role": "user", "content": question}, {"role": "assistant", "content": reply}]
    history = read_history([*messages, {"role": "user", "content": "And now?"}])
    return list(history.past)


@given(TALKS, WORDS)
def test_a_longer_history_begins_with_the_chains_of_the_shorter_one(
    talk: list[tuple[str, str]], more: str
) -> None:
    chains = chains_of(rounds_of(talk))
    assert chains_of(rounds_of([*talk, (more, "Yes.")]))[: len(chains)] == chains


@given(TALKS, WORDS, st.data())
def test_an_edit_changes_its_own_chain_and_all_later_ones(
    talk: list[tuple[str, str]], other: str, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(talk) - 1))
    edited = [*talk[:at], (f"{other} edited", talk[at][1]), *talk[at + 1 :]]
    before, after = chains_of(rounds_of(talk)), chains_of(rounds_of(edited))
    assert before[:at] == after[:at]
    assert not set(before[at:]) & set(after[at:])


@given(TALKS, WORDS)
def test_white_space_and_another_system_prompt_and_other_replies_change_no_chain(
    talk: list[tuple[str, str]], system: str
) -> None:
    spaced = [(f"  {question}\n ".replace(" ", "  "), f"{reply}?") for question, reply in talk]
    assert chains_of(rounds_of(talk)) == chains_of(rounds_of(spaced, system))


@given(st.lists(WORDS, max_size=5))
def test_the_digests_of_all_beginnings_are_those_of_each_alone(words: list[str]) -> None:
    messages = [{"role": "user", "content": text} for text in words]
    alone = [digest_asked(messages[:count]) for count in range(len(messages) + 1)]
    assert list(digests_of_beginnings(messages)) == alone


def test_digests_stay_what_they_are_in_databases() -> None:
    messages = [
        {"role": "user", "content": "Hi"},
        {"role": "tool", "content": "é", "tool_call_id": "1"},
    ]
    assert digest_asked(messages) == "61db247fef6c612872d51986eab34130"


@given(st.lists(st.sampled_from(["<think>", "</think>", "<reasoning>", "</reasoning>", "a "])))
def test_reasoning_is_taken_away_as_its_definition_says(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert normalise(text) == " ".join(REASONING.sub(" ", text).split())


@pytest.mark.parametrize(
    "resent",
    [
        "a plan\n</think>\n\nIt is 4.",
        "<think>a plan</think>It is 4.",
        "<|channel|>analysis<|message|>a plan<|end|><|channel|>final<|message|>It is 4.",
        "[THINK]a plan[/THINK] It is 4.",
        '<details type="reasoning" done="true">a plan</details>\nIt is 4.',
        "It is <Thought>a plan</Thought> 4.",
    ],
)
def test_a_reply_is_known_again_with_its_reasoning(resent: str) -> None:
    assert digest_reply(resent) == digest_reply("It is 4.")


@pytest.mark.parametrize(
    "hostile",
    [
        "<think>" * 100_000,
        "</think>" + "<think>" * 100_000,
        "<details " * 100_000,
        "<details " + 'type="reasoning" ' * 50_000,
        "<|channel|>analysis<|message|>" * 20_000,
    ],
)
def test_marks_that_are_never_closed_stay_and_cost_little(hostile: str) -> None:
    assert normalise(hostile) == hostile.strip()
