"""What the user asks not to remember, or to forget, is told in no other conversation."""

from __future__ import annotations

import pytest

from shared.derivations import withholding
from shared.derivations.withholding import remember_again
from shared.errors import NothingToDoError
from shared.models import MessageKey, SearchFilter
from shared.recall.messages import search_messages
from shared.recall.query import read_query
from shared.services import Services
from shared.store import withheld
from shared.store.search import hits
from tests.asking import make_query
from tests.embedding import embed_pending
from tests.integration.conversing import USER, Conversing
from tests.integration.derivations.extracting import active, extract

WISHES = [
    "Don't remember this, but I live in Ulm.",
    "Off the record: I live in Ulm.",
    "Merk dir das nicht: ich wohne in Ulm.",
    "No recuerdes esto: vivo en Ulm.",
    "Ne retiens pas ceci : j'habite à Ulm.",
    "别记住这个：我住在Ulm。",
]


def find(product: Services, text: str) -> set[MessageKey]:
    """The keys of what recall and the search page find."""
    query = make_query(text, USER)
    with product.database.transaction(user=USER) as connection:
        ranked = search_messages(connection, read_query(connection, query)).ranked
        matches = hits.search_by_words(connection, query, SearchFilter(), 50)
        matches += hits.search_by_parts(connection, query, SearchFilter(), 50)
    keys = {MessageKey(hit.passage.conversation_id, hit.passage.sequence_number) for hit in ranked}
    return keys | {MessageKey(hit.conversation_id, hit.sequence_number) for hit in matches}


@pytest.mark.parametrize("text", WISHES)
def test_a_message_that_is_not_to_be_remembered_is_found_nowhere(
    product: Services, text: str
) -> None:
    conversing = Conversing(product)
    current_round = conversing.round(text)
    assert current_round.user_message.withheld_at == current_round.user_message.created_at
    assert embed_pending(product) == 0
    extract(conversing)
    assert active(conversing) == {}
    assert find(product, "Ulm") == set()


def test_a_wish_at_the_end_of_a_long_message_counts(product: Services) -> None:
    current_round = Conversing(product).round("I like tea. " * 2000 + WISHES[0])
    assert current_round.user_message.withheld_at is not None


def test_a_text_that_cannot_be_read_ends_no_round(
    product: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: str) -> list[str]:
        raise ValueError

    monkeypatch.setattr(withholding, "unwanted_parts", fail)
    current_round = Conversing(product).round(WISHES[0])
    assert current_round.user_message.withheld_at is None


def test_what_is_forgotten_is_found_nowhere_and_comes_back_when_it_is_undone(
    product: Services,
) -> None:
    first, second = Conversing(product), Conversing(product)
    first.round("My cat is called Gigi.")
    first.round("I live in Ulm.")
    extract(first)
    embed_pending(product)
    assert active(first) == {"cat_name": "Gigi", "home_city": "Ulm"}
    assert len(find(product, "Gigi")) > 0
    second.round("Please forget that my cat is called Gigi.")
    extract(second)
    embed_pending(product)
    assert active(first) == {"home_city": "Ulm"}
    assert find(product, "Gigi cat") == set()
    assert len(find(product, "Ulm")) > 0
    with product.database.transaction(user=USER) as connection:
        conversation_id = second.conversation_id
        assert conversation_id is not None
        [wish] = withheld.list_wishes(connection, USER, conversation_id, 10)
        assert (wish.sequence, wish.other_count) == (0, 2)
        remember_again(connection, USER, conversation_id, 0)
        with pytest.raises(NothingToDoError):
            remember_again(connection, USER, conversation_id, 0)
    embed_pending(product)
    assert active(first) == {"cat_name": "Gigi", "home_city": "Ulm"}
    assert len(find(product, "Gigi")) > 0
