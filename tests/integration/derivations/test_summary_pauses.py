"""After a slow summary the next one waits, while prompts contain all turns since."""

from __future__ import annotations

import pytest

from shared.derivations.claims import claim_kind
from shared.derivations.kinds import do_job
from shared.maintenance.sweep import sweep
from shared.models import Outcome
from shared.services import Services
from tests.integration.conversing import Conversing
from tests.integration.worker import count_rows, run_sql
from tests.services import MakeSettings, as_owner

SLOW_MS = 20_000
LAST = 7


def play(conversing: Conversing, *, first_turn: int = 0) -> list[str]:
    """The kinds of jobs that are due after a round whose prompt began with `first_turn`."""
    trace: dict[str, object] = {"verbatim": {"start": first_turn}}
    outcome = Outcome(status="complete", content="I see.", trace=trace)
    return [due.kind for due in conversing.close(conversing.open("Go on."), outcome) or ()]


def summarize_slowly(conversing: Conversing, ms: int = SLOW_MS) -> Conversing:
    """The first summary, of messages 0 to 5."""
    for _ in range(3):
        play(conversing)
    do_job(conversing.services, "summary", conversing.due_of("summary")[0])
    change(conversing, "UPDATE memory SET generation_time_ms = %(ms)s", ms=ms)
    return conversing


def change(conversing: Conversing, statement: str, **arguments: int) -> None:
    run_sql(conversing.services, statement, **arguments)


@pytest.fixture
def slow(conversing: Conversing) -> Conversing:
    return summarize_slowly(conversing)


def test_it_waits_while_the_conversation_goes_on(slow: Conversing) -> None:
    assert "summary" not in play(slow)
    assert "summary" not in play(slow, first_turn=6)


def test_after_a_quick_one_it_follows_at_once(conversing: Conversing) -> None:
    assert "summary" in play(summarize_slowly(conversing, ms=4_999))


def test_it_comes_when_the_newest_prompt_did_not_contain_all_turns_since(slow: Conversing) -> None:
    assert "summary" in play(slow, first_turn=8)


def test_it_comes_when_the_last_one_is_old(slow: Conversing) -> None:
    change(slow, "UPDATE memory SET finished_at = now() - interval '301 s'")
    assert "summary" in play(slow)


def test_it_comes_when_nobody_has_written_for_three_times_as_long_as_one_takes(
    slow: Conversing,
) -> None:
    play(slow)
    for pause_s, count in (59, 1), (61, 2):
        change(
            slow,
            "UPDATE conversations SET updated_at = now() - make_interval(secs => %(pause_s)s)",
            pause_s=pause_s,
        )
        sweep(slow.services)
        assert count_rows(slow.services)["memory"] == count


def test_it_comes_when_somebody_asks_for_it(slow: Conversing) -> None:
    play(slow)
    assert slow.conversation_id is not None
    with as_owner(slow.services) as connection:
        assert claim_kind(connection, "summary", slow.conversation_id, LAST, slow.services.settings)


def test_it_follows_at_once_where_prompts_have_only_turns_that_no_summary_covers(
    make_settings: MakeSettings,
) -> None:
    services = Services(make_settings(recent_tokens=0))
    assert "summary" in play(summarize_slowly(Conversing(services)))
    services.close()
