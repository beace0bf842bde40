"""The kinds of derived memory: the table of each, and its columns for id and span."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Literal, LiteralString

from psycopg2.sql import SQL, Composable, Composed, Identifier, Placeholder

from shared.db import Prepared
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
    #: The assignment that takes out what an unfinished job had read, with a comma before it.
    without_parts: LiteralString = ""


SUMMARY = Derivation(
    kind="summary",
    table="memory",
    id_column="memory_id",
    emptied=", memory_text = NULL, points = NULL, parts = NULL",
    without_parts=", parts = NULL",
)
EPISODE = Derivation(
    kind="episode",
    table="episodic_memory",
    start_column="turn_start",
    end_column="turn_end",
    emptied=(
        ", summary = NULL, key_concepts = '{}', embedding = NULL, embedding_model = NULL"
        ", parts = NULL"
    ),
    without_parts=", parts = NULL",
)
FACTS = Derivation(kind="facts", table="fact_extractions")
TITLE = Derivation(kind="title", table="titles", emptied=", title = NULL")
TIDYING = Derivation(kind="tidying", table="tidyings")
DERIVATIONS: dict[Kind, Derivation] = {d.kind: d for d in (SUMMARY, EPISODE, FACTS, TITLE, TIDYING)}


def statement_for(derivation: Derivation, template: LiteralString, **parts: Composed) -> Composed:
    """`template` with this kind's names and assignments, and with `parts`."""
    return SQL(template).format(**parts, **_names(derivation))


@functools.cache
def prepared_for(
    derivation: Derivation, template: LiteralString, columns: tuple[str, ...] = ()
) -> Prepared:
    """The same, prepared. `columns` gives the template an assignment of each, a comma before it."""
    assigned = (SQL(", {} = {}").format(Identifier(name), Placeholder(name)) for name in columns)
    return Prepared(statement_for(derivation, template, columns=SQL("").join(assigned)))


@functools.cache
def _names(derivation: Derivation) -> dict[str, Composable]:
    return {
        "emptied": SQL(derivation.emptied),
        "without_parts": SQL(derivation.without_parts),
        "table": Identifier(derivation.table),
        "id": Identifier(derivation.id_column),
        "start": Identifier(derivation.start_column),
        "end": Identifier(derivation.end_column),
    }
