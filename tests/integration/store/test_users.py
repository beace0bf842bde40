"""Table `users`: the lock that writers of a user's data take."""

from __future__ import annotations

from shared.agents import DEFAULT_AGENT
from shared.models import NewConversation, UserId
from shared.services import Services
from shared.store import conversations, users
from shared.timing import Deadline
from tests.services import as_owner
from tests.waiting import PATIENCE_S

USER = UserId("ada")


def test_rows_of_a_user_are_added_while_another_makes_sure_of_the_user(product: Services) -> None:
    """Else a job that holds a conversation's lock and a writer could wait for each other."""
    with as_owner(product) as connection:
        users.ensure_user(connection, USER)
    with as_owner(product) as first:
        users.ensure_user(first, USER)
        with product.database.transaction(Deadline(PATIENCE_S), user=USER) as second:
            begun = NewConversation(user_id=USER, agent=DEFAULT_AGENT, mode="active")
            conversations.add_conversation(second, begun)
