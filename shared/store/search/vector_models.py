"""Which models have made the vectors of episodes, messages and passages."""

from __future__ import annotations

from typing import Literal, get_args

from psycopg2.sql import SQL, Identifier

from shared.db import PgConnection, fetch_row

Table = Literal["episodic_memory", "message_embeddings", "file_passages"]
TABLES: tuple[Table, ...] = get_args(Table)


def has_model(connection: PgConnection, table: Table, embedding_model: str) -> bool:
    """Whether this model made any of the table's vectors."""
    row = fetch_row(
        connection,
        SQL("SELECT 1 FROM {} WHERE embedding_model = %(embedding_model)s LIMIT 1").format(
            Identifier(table)
        ),
        embedding_model=embedding_model,
    )
    return row is not None


def find_other_model(connection: PgConnection, table: Table, embedding_model: str) -> str | None:
    """The name of another model that made some of the vectors. None: there is none."""
    row = fetch_row(
        connection,
        SQL(
            """
            SELECT embedding_model FROM {}
            WHERE embedding_model < %(embedding_model)s OR embedding_model > %(embedding_model)s
            LIMIT 1
            """
        ).format(Identifier(table)),
        embedding_model=embedding_model,
    )
    return row["embedding_model"] if row else None
