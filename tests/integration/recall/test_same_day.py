"""A question may tell a day by what happened on it."""

from __future__ import annotations

import io
import json

from shared.recall.messages import search_messages
from shared.recall.query import read_query
from shared.services import Services
from shared.user_data.imports.importer import import_file
from tests.asking import make_query
from tests.embedding import embed_pending
from tests.integration.conversing import USER

LUNCHES = ("noodles", "lentils", "ramen", "risotto", "pancakes", "gnocchi")
DOCTOR = 3  # the day of the visit


def chat(day: int, number: int, text: str) -> dict[str, object]:
    said_at = f"2026-03-{day:02}T1{number}:00:00Z"
    return {
        "title": f"{day}.{number}",
        "messages": [
            {"role": "user", "content": text, "created_at": said_at},
            {"role": "assistant", "content": "Good to know."},
        ],
    }


def test_what_was_said_on_that_day_comes_first(product: Services) -> None:
    chats = [chat(day, 0, f"I had {lunch} for lunch.") for day, lunch in enumerate(LUNCHES, 1)]
    chats.append(chat(DOCTOR, 3, "I saw Doctor Liu about my knee."))
    assert import_file(product, USER, io.BytesIO(json.dumps(chats).encode())).status == "done"
    embed_pending(product)
    query = make_query("What did I have for lunch on the day I saw Doctor Liu?", USER)
    with product.database.transaction(user=USER) as connection:
        ranked = search_messages(connection, read_query(connection, query)).ranked
    lunches = [hit.passage for hit in ranked if "lunch" in hit.passage.matched]
    assert lunches[0].said_at.day == DOCTOR
