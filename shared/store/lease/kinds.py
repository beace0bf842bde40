"""The kinds of derived memory, and where each is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from psycopg2 import sql

from shared.models import Kind

if TYPE_CHECKING:
    from psycopg2.sql import Composed


@dataclass(frozen=True, kw_only=True)
class Derivation:
    """A kind of derived memory and where it is kept.

    `emptied` takes the text out of a row: SQL assignments, each with a comma before it.
    """

    kind: Kind
    table: str
    id_column: str
    start_column: str
    end_column: str
    emptied: str = ""


SUMMARY = Derivation(
    kind="summary",
    table="memory",
    id_column="memory_id",
    start_column="start_sequence",
    end_column="end_sequence",
    emptied=", memory_text = NULL, points = NULL",
)
EPISODE = Derivation(
    kind="episode",
    table="episodic_memory",
    id_column="id",
    start_column="turn_start",
    end_column="turn_end",
    emptied=", summary = NULL, key_concepts = '{}', embedding = NULL, embedding_model = NULL",
)
FACTS = Derivation(
    kind="facts",
    table="fact_extractions",
    id_column="id",
    start_column="start_sequence",
    end_column="end_sequence",
)
TITLE = Derivation(
    kind="title",
    table="titles",
    id_column="id",
    start_column="start_sequence",
    end_column="end_sequence",
    emptied=", title = NULL",
)
DERIVATIONS: dict[Kind, Derivation] = {d.kind: d for d in (SUMMARY, EPISODE, FACTS, TITLE)}


def statement_for(derivation: Derivation, template: str, **parts: Composed) -> Composed:
    """`template` with this kind's names for {table}, {id}, {start} and {end}, with its {emptied},
    and `parts`.
    """
    return sql.SQL(template).format(
        **parts,
        emptied=sql.SQL(derivation.emptied),
        table=sql.Identifier(derivation.table),
        id=sql.Identifier(derivation.id_column),
        start=sql.Identifier(derivation.start_column),
        end=sql.Identifier(derivation.end_column),
    )
