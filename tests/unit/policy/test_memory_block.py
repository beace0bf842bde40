"""What stands before a message, and what has changed since it was summed up."""

from __future__ import annotations

from dataclasses import replace

from shared.policy.budget import Room
from shared.policy.prompt import Frame, build_prompt
from shared.policy.recalled import Recalled
from shared.policy.verbatim import Verbatim
from tests.unit.policy.test_prompt import (
    NOW,
    context_of,
    episode,
    fact,
    front_of,
    make_prompt,
    turns,
    words,
)


def test_what_an_episode_tells_and_was_corrected_since_is_told_as_corrected() -> None:
    moved = replace(fact("Bergen"), key="home_city", former_values=("Oslo", "Bergen", "Rome"))
    recalled = Recalled(facts=[moved], episodes=[episode("Ada lives in oslo.")], standing={7})
    line = "- The user's home city: Bergen (since 2026-11-21"
    assert f"{line}, no longer Oslo)" in front_of(make_prompt(recalled))
    assert f"{line})" in front_of(make_prompt(replace(recalled, episodes=[episode("Hi.")])))
    turn = replace(turns(0, 0)[0], ts=NOW.timestamp())
    later = replace(recalled, verbatim=Verbatim(turns=(turn,)))
    assert "home city: Bergen (no longer Oslo)" in context_of(make_prompt(later))


def test_a_message_that_asks_nothing_has_no_clock_beside_it() -> None:
    frame = Frame(agent_prompt="You are kind.", now=NOW, current="Thanks!")
    prompt = build_prompt(frame, Recalled(), Room(tokens=4000), words)
    assert prompt.messages[-1] == ("user", "Thanks!")
