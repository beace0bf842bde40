"""What the site holds before schemathesis asks: of each kind of thing something."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import httpx

from shared.db import Database, fetch_row
from shared.models import Candidate, ConversationId, UserId
from shared.store.facts.suggestions import suggest
from tests.waiting import wait_for

API = "/api/v1"
OWNER = UserId("local")
SAID = (
    "Hello, my name is Alexander.",
    "I live in Lisbon and I love mangoes.",
    "I am allergic to peanuts.",
    "My canoe is called Wanderfalke.",
    "What is my canoe called?",
    "Where do I live?",
)
DERIVED_S = 60
SPARE = 5
KEPT = 2  # of each kind of thing that others belong to


class Seeds:
    """`database` is the owner's; `asker` shows the site's token."""

    def __init__(self, asker: httpx.Client, database: Database) -> None:
        self._asker = asker
        self._database = database
        self.conversation_id = ""

    def talk(self) -> None:
        """A conversation, of which workers make summaries, episodes and facts."""
        for message in SAID:
            place = {"conversation_id": self.conversation_id} if self.conversation_id else {}
            reply = self.post("/chat", {"message": message} | place)
            self.conversation_id = reply["conversation_id"]
        self.post("/imports", [past_conversation("cut-1")])
        wait_for(self._is_derived, DERIVED_S)

    def add_the_rest(self) -> None:
        """Without workers: nothing is sent to the webhooks."""
        fact = {"category": "preference", "key": "tea"}
        for value in ("green", "black"):
            self.post("/facts", fact | {"value": value})
        for number in range(SPARE):
            hook = self.post("/webhooks", {"url": f"https://hooks.example.org/{number}"})
            self.post(f"/webhooks/{hook['webhook_id']}/test", {})
        self.post("/imports", [past_conversation(f"spare-{number}") for number in range(SPARE)])
        self.post("/personas", {"name": "Editor", "instructions": "Be strict."})
        self.post("/prompts", {"name": "editor", "text": "Sum up in {{count}} points:"})
        address = f"/conversations/{self.conversation_id}"
        self.post("/projects", {"name": "Boats", "instructions": "Speak of boats."})
        self._asker.patch(API + address, json={"project": "Boats"}).raise_for_status()
        model = {"name": "Elsewhere", "address": "http://127.0.0.1:9/v1", "served_name": "any"}
        self.post("/operations/models", model | {"offered": False})
        self.post("/tokens", {"name": "an editor", "scopes": ["chat"]})
        self.post(f"/conversations/{self.conversation_id}/shares", {})
        for value in ("red", "blue", "yellow"):
            self._suggest(f"boat_{value}", value)

    def find_ids(self) -> dict[str, list[Any]]:
        """The values of the parts of addresses, by name. `DELETE` has its own: the rest stays."""
        ids = self._find_all()
        ids["conversation_id"].sort(key=lambda value: value != self.conversation_id)
        for name in ("conversation_id", "webhook_id", "fact_id"):
            main_ids, spare = ids[name][:KEPT], ids[name][KEPT:]
            ids |= {name: main_ids, f"DELETE {name}": spare}
        return ids

    def _find_all(self) -> dict[str, list[Any]]:
        return {
            "conversation_id": self._ids("conversations", "conversation_id"),
            "import_id": self._ids("imports", "import_id"),
            "fact_id": self._ids("structured_facts", "id"),
            "suggestion_id": self._ids("fact_suggestions", "id"),
            "episode_id": self._ids("episodic_memory", "id"),
            "webhook_id": self._ids("webhooks", "webhook_id"),
            "delivery_id": self._ids("webhook_deliveries", "delivery_id"),
            "persona_id": self._ids("personas", "persona_id"),
            "prompt_id": self._ids("prompts", "prompt_id"),
            "model_id": self._ids("site_models", "model_id"),
            "token_id": self._ids("api_tokens", "token_id"),
            "share_id": self._ids("shares", "share_id"),
            "project": ["Boats"],
            "sequence": [0, 1, 2 * len(SAID) - 2, 2 * len(SAID) - 1],
        }

    def post(self, path: str, body: object) -> Any:
        return self._asker.post(API + path, json=body).raise_for_status().json()

    def _is_derived(self) -> bool:
        with self._database.transaction(user=OWNER) as connection:
            row = fetch_row(
                connection,
                """
                SELECT EXISTS (SELECT FROM episodic_memory)
                   AND EXISTS (SELECT FROM memory WHERE status <> 'processing') AS is_derived
                """,
            )
        return bool(row and row["is_derived"])

    def _suggest(self, key: str, value: str) -> None:
        with self._database.transaction(user=OWNER) as connection:
            suggest(connection, OWNER, self._doubtful(key, value))

    def _doubtful(self, key: str, value: str) -> Candidate:
        return Candidate(
            category="identity",
            key=key,
            value=value,
            confidence=0.5,
            importance=0.8,
            retracts=False,
            said_at=datetime.now(UTC),
            turn=1,
            source_conversation_id=ConversationId(self.conversation_id),
            source_sequence=0,
        )

    def _ids(self, table: str, column: str) -> list[Any]:
        with self._database.transaction(user=OWNER) as connection:
            row = fetch_row(
                connection,
                f"SELECT array_agg({column}::text ORDER BY created_at) AS ids FROM {table}",  # noqa: S608
            )
        assert row is not None
        assert row["ids"], f"no {table}"
        return list(row["ids"])


def past_conversation(name: str) -> dict[str, Any]:
    """A past conversation whose last reply ends in the middle: `continue` goes on with it."""
    at = "2024-03-05T10:00:00+00:00"
    turns = [("user", "Tell me of rivers.", "complete"), ("assistant", "Rivers are", "partial")]
    messages = [
        {"role": role, "content": text, "created_at": at, "status": status}
        for role, text, status in turns
    ]
    return {"id": name, "title": "Rivers", "messages": messages}
