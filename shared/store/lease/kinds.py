"""The kinds of derived memory: the table of each, and its columns for id and span."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Literal, LiteralString

from psycopg2.sql import SQL, Composable, Composed, Identifier

from shared.models import Kind

JobTable = Literal["memory", "episodic_memory", "fact_extractions", "titles", "tidyings"]


@dataclass(frozen=True, kw_only=True)
class Derivation:
    """A kind of derived memory and the table whose rows are its jobs."""

    kind: Kind
    table: JobTable
    id_column: Literal["id", "memory_id"] = "id"
    #: The first message of a job's span, included.
    start_column: Literal["start_sequence", "turn_start"] = "start_sequence"
    #: The last message of a job's span, included.
    end_column: Literal["end_sequence", "turn_end"] = "end_sequence"
    #: The assignments that take the text out of a row, each with a comma before it.
    emptied: LiteralString = ""


SUMMARY = Derivation(
    kind="summary",
    table="memory",
    id_column="memory_id",
    emptied=", memory_text = NULL, points = NULL",
)
EPISODE = Derivation(
    kind="episode",
    table="episodic_memory",
    start_column="turn_start",
    end_column="turn_end",
    emptied=", summary = NULL, key_concepts = '{}', embedding = NULL, embedding_model = NULL",
)
FACTS = Derivation(kind="facts", table="fact_extractions")
TITLE = Derivation(kind="title", table="titles", emptied=", title = NULL")
TIDYING = Derivation(kind="tidying", table="tidyings")
DERIVATIONS: dict[Kind, Derivation] = {d.kind: d for d in (SUMMARY, EPISODE, FACTS, TITLE, TIDYING)}


def statement_for(derivation: Derivation, template: LiteralString, **parts: Composed) -> Composed:
    """Fill a statement with the names of this kind: {table}, {id}, {start}, {end}, {emptied}.

    `parts` are filled in, too.
    """
    return SQL(template).format(**parts, **_names(derivation))


@functools.cache
def _names(derivation: Derivation) -> dict[str, Composable]:
    return {
        "emptied": SQL(derivation.emptied),
        "table": Identifier(derivation.table),
        "id": Identifier(derivation.id_column),
        "start": Identifier(derivation.start_column),
        "end": Identifier(derivation.end_column),
    }
