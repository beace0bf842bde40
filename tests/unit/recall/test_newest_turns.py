"""The newest turns: what Redis holds is used as far as it is unbroken."""

from __future__ import annotations

import pytest

from shared.errors import DatabaseUnavailableError
from shared.models import ConversationId, Turn, UserId
from shared.recall.newest_turns import newest_turns
from tests.fakes.memory import EmptyDatabase, FakeServices

OWN = ConversationId("00000000-0000-4000-8000-000000000001")
ADA = UserId("ada")


def turn(seq: int) -> Turn:
    return Turn(role="user", content="Hello.", ts=0.0, seq=seq)


def test_what_redis_holds_to_the_beginning_needs_no_database() -> None:
    database = EmptyDatabase(then=DatabaseUnavailableError())
    services = FakeServices(database, [turn(seq) for seq in range(5)])
    assert [message.seq for message in newest_turns(services, ADA, OWN, 4, 0)] == [3, 2, 1, 0]
    assert database.transactions == 0


@pytest.mark.parametrize(
    ("cached", "expected"),
    [([0, 1, 3], [3]), ([0, 1], []), ([], [])],
    ids=["a hole", "the newest is missing", "nothing"],
)
def test_only_what_leads_up_to_the_newest_without_a_hole_is_taken(
    cached: list[int], expected: list[int]
) -> None:
    database = EmptyDatabase()
    services = FakeServices(database, [turn(seq) for seq in cached])
    assert [message.seq for message in newest_turns(services, ADA, OWN, 4, 0)] == expected
    assert database.transactions == 1
