"""What the user says for good is known as such where messages are read."""

from __future__ import annotations

from shared.recall.messages import search_messages
from shared.recall.query import read_query
from shared.services import Services
from tests.asking import make_query
from tests.embedding import embed_pending
from tests.integration.conversing import USER, Conversing


def test_what_holds_for_good_is_marked(product: Services) -> None:
    texts = ("Always show an example when I ask about cards.", "Where are my cards?")
    for text in texts:
        Conversing(product).round(text)
    embed_pending(product)
    with product.database.transaction(user=USER) as connection:
        reading = read_query(connection, make_query("How likely is a red card?", USER))
        ranked = search_messages(connection, reading).ranked
    marked = [hit.passage.is_standing for hit in ranked if hit.passage.role == "user"]
    assert sorted(marked) == [False, True]
    assert not any(hit.passage.is_standing for hit in ranked if hit.passage.role == "assistant")
