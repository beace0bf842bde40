from __future__ import annotations

from bench.harness.turns import take_turns


def test_calls_take_turns_and_the_first_turn_is_not_measured() -> None:
    calls: list[str] = []
    spent = take_turns(
        {"ours": lambda: calls.append("ours"), "theirs": lambda: calls.append("theirs")},
        turns=2,
        calls_each=2,
        before=lambda: calls.append("before"),
    )
    assert calls == ["before", "ours", "ours", "theirs", "theirs"] * 3
    assert spent["ours"].wall_ms >= 0
