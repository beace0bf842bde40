from __future__ import annotations

from typing import Any

import pytest

from shared.policy.trace import Trace, count_remembered

NOTHING: Trace = {
    "facts": [],
    "episodes": [],
    "summary": None,
    "verbatim": {"start": 0, "end": 3, "shortened": []},
    "cut": {"facts": 0, "episodes": 0, "points": 0, "gap": None},
}


def test_what_was_given_and_what_was_cut_is_counted() -> None:
    trace = NOTHING | {
        "facts": [{"fact_id": 1}, {"fact_id": 2}],
        "episodes": [{"episode_id": 3}],
        "summary": {"memory_id": 4, "points": 5},
        "cut": {"facts": 1, "episodes": 2, "points": 3, "gap": None},
    }
    assert count_remembered(trace) == {
        "facts": 2,
        "episodes": 1,
        "messages": 0,
        "passages": 0,
        "points": 5,
        "cut": 6,
    }


def test_a_reply_for_which_everything_was_cut_still_counts() -> None:
    trace = NOTHING | {"cut": {"facts": 1, "episodes": 0, "points": 0, "gap": None}}
    assert count_remembered(trace) == {
        "facts": 0,
        "episodes": 0,
        "messages": 0,
        "passages": 0,
        "points": 0,
        "cut": 1,
    }


@pytest.mark.parametrize("trace", [None, {}, {"steps_ms": {"recall": 3.0}}, NOTHING])
def test_without_a_memory_there_is_nothing_to_count(trace: Any) -> None:
    assert count_remembered(trace) is None
