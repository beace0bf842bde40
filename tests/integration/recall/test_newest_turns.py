"""The newest turns, from Redis and Postgres together."""

from __future__ import annotations

import pytest

from shared.models import Mode, Outcome, Turn
from shared.policy.budget import Room
from shared.recall.newest_turns import FIRST_PAGE, newest_turns
from shared.recall.prompt import recall
from shared.services import Services
from shared.timing import Steps
from tests.integration.conversing import Conversing, NoEncoder

ROUNDS = 70  # more than a page


@pytest.fixture
def talked(conversing: Conversing) -> Conversing:
    for number in range(ROUNDS):
        conversing.round(f"Message {2 * number}.")
    return conversing


def read(product: Services, talked: Conversing, gap_start: int = 0) -> list[int]:
    assert talked.conversation_id is not None
    turns = newest_turns(product, talked.user_id, talked.conversation_id, 2 * ROUNDS, gap_start)
    return [turn.seq for turn in turns]


def hold(product: Services, talked: Conversing, *sequences: int) -> None:
    assert talked.conversation_id is not None
    turns = [Turn(role="user", content="from Redis", ts=0.0, seq=seq) for seq in sequences]
    product.short_term.append_turns(talked.conversation_id, turns)


ALL = list(reversed(range(2 * ROUNDS)))


def test_without_redis_all_comes_from_postgres(product: Services, talked: Conversing) -> None:
    assert read(product, talked) == ALL


@pytest.mark.parametrize(
    ("cached", "used"),
    [
        ([136, 137, 138, 139], 4),
        ([130, 131, 138, 139], 2),  # 132 to 137 are missing: only what comes after them is used
        ([130, 131, 132], 0),  # the newest are missing
        ([138, 139, 140], 2),  # the current message itself does not count
    ],
)
def test_what_redis_holds_without_a_hole_is_used(
    product: Services, talked: Conversing, cached: list[int], used: int
) -> None:
    hold(product, talked, *cached)
    assert talked.conversation_id is not None
    turns = list(newest_turns(product, talked.user_id, talked.conversation_id, 2 * ROUNDS, 0))
    assert [turn.seq for turn in turns] == ALL
    assert [turn.content == "from Redis" for turn in turns].count(True) == used


def test_redis_is_given_the_gap_again_and_nothing_that_was_flushed(
    product: Services, talked: Conversing
) -> None:
    read(product, talked, gap_start=2 * ROUNDS - 4)
    assert talked.conversation_id is not None
    cached_turns = product.short_term.list_turns(talked.conversation_id)
    assert [turn.seq for turn in cached_turns] == [136, 137, 138, 139]


def test_a_reply_that_failed_is_no_hole_for_postgres(
    product: Services, conversing: Conversing
) -> None:
    conversing.round("First.")
    conversing.close(conversing.open("Second."), Outcome(status="failed", content="", error="x"))
    assert conversing.conversation_id is not None
    turns = newest_turns(product, conversing.user_id, conversing.conversation_id, 4, 0)
    assert [turn.seq for turn in turns] == [2, 1, 0]


def test_only_as_many_pages_are_read_as_are_asked_for(
    product: Services, talked: Conversing
) -> None:
    assert talked.conversation_id is not None
    turns = newest_turns(product, talked.user_id, talked.conversation_id, 2 * ROUNDS, 0)
    first = [next(turns).seq for _ in range(FIRST_PAGE)]
    product.database.close()
    assert first == ALL[:FIRST_PAGE]  # the rest was never read: no database is there to ask


@pytest.mark.parametrize("mode", ["active", "passive", "off"])
def test_in_every_mode_the_newest_turns_are_given(
    product: Services, conversing: Conversing, mode: Mode
) -> None:
    talk = conversing
    talk.close(talk.open("Make a table.", mode=mode))
    open_round = talk.open("Add a column to it.")
    recalled = recall(product, NoEncoder(), open_round, Steps(), Room())
    assert [turn.content for turn in recalled.verbatim.turns] == ["Make a table.", "Reply 1."]
