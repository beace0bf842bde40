"""The facts job, what a model answers it, and what it leaves behind."""

from __future__ import annotations

import json

from shared.db import Row, fetch_rows
from shared.derivations.kinds import do_job
from shared.models import Fact
from shared.store.facts import versions as fact_versions
from tests.fakes.openai_server import Scripted
from tests.integration.conversing import Conversing
from tests.services import as_owner

#: A model's labels of what the user states plainly of themself.
MEANT = {"whose": "user", "how": "stated", "when": "now"}


def answer(*facts: tuple[str, str, int], until: str | None = None) -> Scripted:
    """(key, value, seq) of identity facts. `until`: the last day of the last one."""
    items: list[dict[str, object]] = [
        MEANT
        | {
            "category": "identity",
            "key": key,
            "value": value,
            "confidence": 1.0,
            "importance": 0.8,
            "seq": seq,
        }
        for key, value, seq in facts
    ]
    if until:
        items[-1] |= {"until": until, "when": "while"}
    return Scripted(text=json.dumps({"facts": items}))


def extract(conversing: Conversing) -> None:
    do_job(conversing.services, "facts", conversing.due_of("facts")[-1])


def active(conversing: Conversing) -> dict[str, str]:
    return {fact.key: fact.value for fact in held(conversing)}


def held(conversing: Conversing) -> list[Fact]:
    with as_owner(conversing.services) as connection:
        return fact_versions.list_facts(
            connection, conversing.user_id, category=None, with_history=False, as_of=None
        )


def rows(conversing: Conversing) -> list[Row]:
    with as_owner(conversing.services) as connection:
        return fetch_rows(connection, "SELECT * FROM fact_extractions ORDER BY id")


def spans(conversing: Conversing) -> list[tuple[str, int, int]]:
    job_rows = rows(conversing)
    return [(row["status"], row["start_sequence"], row["end_sequence"]) for row in job_rows]
