"""Names in a question, by what people are called in the talks that the user has imported."""

from __future__ import annotations

import io
import json

from shared.recall.query import read_query
from shared.services import Services
from shared.user_data.imports.importer import import_file
from tests.asking import make_query
from tests.integration.conversing import USER


def test_people_are_asked_about_by_what_they_are_called(product: Services) -> None:
    turns = [
        ("user", "emi84", "I saw a heron."),
        ("assistant", "bob", "Hey Kate! I saw a stork."),
        ("user", "emi84", "I saw a crane."),
        ("assistant", "bob", "Well, Kate, I saw a rook."),
        ("user", "emi84", "I saw an owl."),
        ("assistant", "bob", "Kate, I saw a kite."),
    ]
    messages = [{"role": role, "name": name, "content": text} for role, name, text in turns]
    file = io.BytesIO(json.dumps([{"title": "Birds", "messages": messages}]).encode())
    assert import_file(product, USER, file).status == "done"
    with product.database.transaction(user=USER) as connection:
        speakers = {
            name: read_query(connection, make_query(f"What did {name} see?", USER)).question.speaker
            for name in ("Kate", "Bob", "Emi84", "Stork")
        }
    assert speakers == {"Kate": "emi84", "Bob": "bob", "Emi84": "emi84", "Stork": None}
