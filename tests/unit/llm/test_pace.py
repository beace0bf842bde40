"""What reads tell of a server: how quickly it reads, and how late it answers."""

from __future__ import annotations

import pytest

from shared.llm.pace import LEAST_STEP_BYTES, READ_S, Pace


def test_a_server_that_answers_late_but_reads_quickly_is_given_long_steps() -> None:
    pace = Pace()
    for seconds in (3.0, 3.01, 3.0, 3.02, 3.0, 3.0, 3.0):
        pace.note_read(pace.step_bytes, seconds)
    assert pace.step_bytes > 10 * LEAST_STEP_BYTES


@pytest.mark.parametrize("latency_s", [0.0, 2.0])
@pytest.mark.parametrize("noise", [(1.0,), (1.0, 0.5), (2.0, 1.0, 1.0), (0.5, 1.0, 2.0, 1.0)])
def test_a_step_of_a_slow_server_takes_little_longer_than_the_shortest(
    latency_s: float, noise: tuple[float, ...]
) -> None:
    pace, bytes_per_s = Pace(), 80
    times = []
    for factor in noise * 6:
        size = pace.step_bytes
        times.append(latency_s + size / bytes_per_s)
        pace.note_read(size, times[-1] * factor)
    shortest_s = latency_s + LEAST_STEP_BYTES / bytes_per_s
    assert max(times) <= max(noise) * shortest_s + 2 * READ_S


def test_a_step_that_was_cut_off_late_makes_the_next_shorter() -> None:
    pace = Pace(read_bytes_per_s=1000, latency_s=0.1)
    pace.note_cut_off(1000, 0.5)
    assert pace.read_bytes_per_s == 1000
    pace.note_cut_off(1000, 5.1)
    assert pace.read_bytes_per_s == pytest.approx(200)


def test_one_answer_changes_the_pace_of_writing_by_half_at_most() -> None:
    pace = Pace()
    pace.note_written(pieces=100, seconds=10)
    assert pace.written_per_s == 10
    pace.note_written(pieces=100, seconds=0.1)
    assert pace.written_per_s == 20
    pace.note_written(pieces=1, seconds=60)
    assert pace.written_per_s == 10


def test_a_server_of_which_nothing_is_known_is_asked_about_one_message() -> None:
    assert Pace().part_tokens(1.0) == 1
