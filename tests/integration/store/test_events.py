"""The outbox's table: order, ownership, retention."""

from __future__ import annotations

import threading

from shared.db import execute
from shared.models import NewEvent, UserId
from shared.services import Services
from shared.store import events
from shared.store.users import ensure_user
from tests.integration.locks import wait_for_blocked_statement
from tests.services import as_owner

ADA, BOB = UserId("ada"), UserId("bob")
NEW = NewEvent(type="fact.learned", data={"fact_id": 1})


def test_an_event_waits_for_an_earlier_one_of_its_user_to_be_committed(product: Services) -> None:
    """Else its id could be seen before a smaller one, which a follower would then miss."""
    add_users(product)
    second = threading.Thread(target=add, args=(product, ADA))
    with as_owner(product) as connection:
        events.add_event(connection, ADA, NEW)
        second.start()
        add(product, BOB)  # another user's does not wait
        wait_for_blocked_statement(product.settings.database_url)
        assert list_ids(product, ADA) == []
    second.join()
    assert len(list_ids(product, ADA)) == 2


def test_events_are_listed_from_an_id_on_and_to_their_user_alone(product: Services) -> None:
    add_users(product)
    for user_id in (ADA, BOB, ADA, ADA):
        add(product, user_id)
    first, second, third = list_ids(product, ADA)
    assert list_ids(product, ADA, after=first) == [second, third]
    with as_owner(product) as connection:
        assert events.find_newest_id(connection, ADA) == third
        assert [e.event_id for e in events.list_events(connection, ADA, 0, 2)] == [first, second]


def test_old_events_are_deleted_and_a_users_go_with_the_user(product: Services) -> None:
    add_users(product)
    for user_id in (ADA, ADA, BOB):
        add(product, user_id)
    with as_owner(product) as connection:
        execute(
            connection,
            "UPDATE events SET occurred_at = now() - interval '8 days' WHERE event_id = %(id)s",
            id=events.list_events(connection, ADA, 0, 1)[0].event_id,
        )
        assert events.delete_events(connection, older_than_days=7, limit=10) == 1
        assert len(events.list_events(connection, ADA, 0, 10)) == 1
        execute(connection, "DELETE FROM users WHERE user_id = 'ada'")
        assert events.list_events(connection, ADA, 0, 10) == []
        assert len(events.list_events(connection, BOB, 0, 10)) == 1


def add_users(product: Services) -> None:
    with as_owner(product) as connection:
        for user_id in (ADA, BOB):
            ensure_user(connection, user_id)


def add(product: Services, user_id: UserId) -> None:
    with as_owner(product) as connection:
        events.add_event(connection, user_id, NEW)


def list_ids(product: Services, user_id: UserId, after: int = 0) -> list[int]:
    with as_owner(product) as connection:
        return [event.event_id for event in events.list_events(connection, user_id, after, 100)]
