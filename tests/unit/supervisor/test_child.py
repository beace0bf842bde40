from __future__ import annotations

import pytest

from supervisor.child import count_failures, restart_delay


@pytest.mark.parametrize(("failures", "delay_s"), [(1, 0.5), (2, 1), (3, 2), (6, 16), (7, 30)])
def test_the_delay_doubles_up_to_half_a_minute(failures: int, delay_s: float) -> None:
    assert restart_delay(failures) == delay_s


def test_a_thousand_deaths_do_not_overflow() -> None:
    assert restart_delay(1_000) == 30


def test_deaths_in_a_row_are_counted() -> None:
    assert count_failures(previous=3, ran_s=59) == 4


def test_a_process_that_ran_a_minute_begins_anew() -> None:
    assert count_failures(previous=3, ran_s=60) == 1
