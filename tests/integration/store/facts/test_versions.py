"""What a prompt is given of the facts."""

from __future__ import annotations

import pytest

from shared.db import PgConnection, execute
from shared.models import UserId
from shared.services import Services
from shared.store.facts import versions as fact_versions
from tests.services import as_owner

ADA, BOB = UserId("ada"), UserId("bob")


def add(connection: PgConnection, user: str, category: str, importance: float, count: int) -> None:
    execute(
        connection,
        """
        INSERT INTO structured_facts
            (user_id, category, key, value, confidence, importance, confirmed_at_turn)
        SELECT %(user)s, %(category)s, %(category)s || %(importance)s || '_' || n, 'v', 1,
               %(importance)s, 1
        FROM generate_series(1, %(count)s) AS n
        """,
        user=user,
        category=category,
        importance=importance,
        count=count,
    )


@pytest.fixture(autouse=True)
def _users(product: Services) -> None:
    with as_owner(product) as connection:
        execute(connection, "INSERT INTO users (user_id) VALUES ('ada'), ('bob')")


def test_constraints_are_never_dropped_and_the_rest_comes_by_importance(
    product: Services,
) -> None:
    with as_owner(product) as connection:
        add(connection, ADA, "constraint", 0.1, 3)
        add(connection, ADA, "constraint", 0.9, 1)
        add(connection, ADA, "identity", 0.5, 1)
        add(connection, ADA, "preference", 0.8, 1)
        add(connection, ADA, "preference", 0.49, 1)
        add(connection, BOB, "constraint", 1.0, 1)
        facts = fact_versions.list_recallable(connection, ADA, 0.5, 1)
        more = fact_versions.list_recallable(connection, ADA, 0.5, 9)
    assert [fact.category for fact in facts] == ["constraint"] * 4 + ["preference"]
    assert facts[0].importance == 0.9
    assert [fact.importance for fact in more][4:] == [0.8, 0.5]


def test_a_fact_has_all_values_that_it_replaced_one_after_the_other(product: Services) -> None:
    with as_owner(product) as connection:
        add(connection, ADA, "identity", 0.9, 3)
        execute(
            connection,
            """
            UPDATE structured_facts AS earlier
            SET value = key, is_active = false, valid_to = now(), superseded_by = (
                SELECT min(later.id) FROM structured_facts AS later WHERE later.id > earlier.id)
            WHERE id < (SELECT max(id) FROM structured_facts)
            """,
        )
        [fact] = fact_versions.list_recallable(connection, ADA, 0.5, 9)
    assert fact.former_values == ("identity0.9_1", "identity0.9_2")
