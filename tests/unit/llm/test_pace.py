"""What two reads tell of a server: its latency, and how quickly it reads."""

from __future__ import annotations

import pytest

from shared.llm.pace import READ_S, SECOND_STEP_BYTES, Pace


def test_a_server_that_answers_late_but_reads_quickly_is_given_long_steps() -> None:
    pace = Pace()
    for seconds in (3.0, 3.01, 3.0, 3.02, 3.0, 3.0):
        pace.note_read(pace.step_bytes, seconds)
    assert pace.step_bytes > 20 * SECOND_STEP_BYTES


@pytest.mark.parametrize("latency_s", [0.0, 2.0])
def test_a_server_that_reads_slowly_is_given_short_steps_whatever_its_latency(
    latency_s: float,
) -> None:
    pace = Pace()
    for _ in range(6):
        pace.note_read(pace.step_bytes, latency_s + pace.step_bytes / 80)
    assert pace.step_bytes == pytest.approx(80 * READ_S, abs=1)
