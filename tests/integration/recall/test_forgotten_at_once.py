"""What the user asks to forget is forgotten before the reply is written, without a model."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from shared.derivations import withholding
from shared.derivations.withholding import forget, forget_at_once, remember_again
from shared.models import ConversationId, Heard, SearchFilter
from shared.rounds.opening import open_round
from shared.rounds.requests import Retry, Rewording
from shared.rounds.runner import RoundRunner
from shared.services import Services
from shared.store import messages
from shared.store.search import hits
from tests.asking import make_query
from tests.integration.conversing import USER, Conversing, NoEncoder
from tests.integration.derivations.extracting import active, extract

WISH = "Please forget that my cat is called Gigi."


@pytest.fixture
def conversation(product: Services) -> Conversing:
    """A conversation that has told of the cat, and of something else."""
    talk = Conversing(product)
    talk.round("My cat is called Gigi.")
    talk.round("I live in Ulm.")
    extract(talk)
    assert active(talk) == {"cat_name": "Gigi", "home_city": "Ulm"}
    return talk


def finds_cat(product: Services) -> bool:
    with product.database.transaction(user=USER) as connection:
        matches = hits.search_by_words(connection, make_query("Gigi", USER), SearchFilter(), 50)
    return bool(matches)


def wish(product: Services) -> Conversing:
    """The conversation of a whole round that asks to forget, before the facts job."""
    wishing = Conversing(product)
    current_round = wishing.open(WISH)
    forget_at_once(product.database, current_round)
    wishing.close(current_round)
    return wishing


def undo(talk: Conversing) -> None:
    with talk.services.database.transaction(user=USER) as connection:
        remember_again(connection, USER, id_of(talk), 0)


def id_of(talk: Conversing) -> ConversationId:
    assert talk.conversation_id is not None
    return talk.conversation_id


def test_it_is_found_nowhere_when_the_reply_is_there(
    product: Services, conversation: Conversing
) -> None:
    wishing = Conversing(product)
    runner = RoundRunner(product, NoEncoder())
    live = runner.start(wishing.new_message(WISH))
    assert not finds_cat(product)
    assert active(conversation) == {"home_city": "Ulm"}
    assert live.wait(60) is not None
    runner.drain(60)


def test_the_facts_job_changes_nothing_more(product: Services, conversation: Conversing) -> None:
    wishing = wish(product)
    extract(wishing)
    assert active(conversation) == {"home_city": "Ulm"}
    undo(wishing)
    assert active(conversation) == {"cat_name": "Gigi", "home_city": "Ulm"}
    assert finds_cat(product)


def test_what_is_undone_before_the_facts_job_stays(
    product: Services, conversation: Conversing
) -> None:
    wishing = wish(product)
    undo(wishing)
    extract(wishing)
    assert active(conversation) == {"cat_name": "Gigi", "home_city": "Ulm"}
    assert finds_cat(product)


def test_what_is_undone_while_the_facts_job_runs_stays(
    product: Services, conversation: Conversing
) -> None:
    wishing = wish(product)
    undo(wishing)
    with product.database.transaction(user=USER) as connection:
        message = messages.get_message(connection, id_of(wishing), 0)
        read_before = Heard(
            sequence_number=0,
            role="user",
            content=message.content,
            created_at=message.created_at,
            turn=3,
        )
        forget(connection, USER, id_of(wishing), [read_before])
    assert finds_cat(product)


def test_a_retry_of_the_reply_does_not_wish_again(
    product: Services, conversation: Conversing
) -> None:
    wishing = wish(product)
    undo(wishing)
    with product.database.transaction(user=USER) as connection:
        retry = Retry(user_id=USER, conversation_id=id_of(wishing), sequence=1)
        again = open_round(connection, retry, product.settings)
    forget_at_once(product.database, again)
    assert finds_cat(product)


def test_a_wish_that_is_reworded_is_no_more(product: Services, conversation: Conversing) -> None:
    wishing = wish(product)
    with product.database.transaction(user=USER) as connection:
        new = Rewording(
            user_id=USER, conversation_id=id_of(wishing), sequence=0, text="What is my cat called?"
        )
        open_round(connection, new, product.settings)
        reply = messages.get_message(connection, id_of(wishing), 1)
    assert reply.withheld_at is None
    assert active(conversation) == {"cat_name": "Gigi", "home_city": "Ulm"}
    assert finds_cat(product)


def test_a_chat_that_is_off_changes_no_memory(product: Services, conversation: Conversing) -> None:
    forget_at_once(product.database, Conversing(product).open(WISH, mode="off"))
    assert finds_cat(product)
    assert active(conversation) == {"cat_name": "Gigi", "home_city": "Ulm"}


def test_an_error_ends_no_round(
    product: Services, conversation: Conversing, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: str) -> list[str]:
        raise ValueError

    current_round = Conversing(product).open(WISH)
    monkeypatch.setattr(withholding, "forget_requests", fail)
    forget_at_once(product.database, current_round)
    assert finds_cat(product)


def test_a_message_that_asks_nothing_forgets_nothing(
    product: Services, conversation: Conversing
) -> None:
    current_round = Conversing(product).open("My cat is called Gigi.")
    asking = replace(current_round.user_message, withheld_at=datetime.now(UTC))
    forget_at_once(product.database, replace(current_round, user_message=asking))
    assert active(conversation) == {"cat_name": "Gigi", "home_city": "Ulm"}
