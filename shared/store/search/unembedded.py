"""What waits for vectors, of all kinds of text."""

from __future__ import annotations

from typing import NamedTuple

from shared.db import PgConnection, fetch_tuples


class Waiting(NamedTuple):
    """Which kinds of text wait for vectors."""

    episodes: bool
    messages: bool
    #: Of files whose text is to be cut into passages.
    files: bool
    passages: bool


def find_waiting(connection: PgConnection) -> Waiting:
    """Look up which kinds of text wait for vectors, all in one query.

    The rows are asked for in order, so that the index of waiting rows is read: after an import the
    table may be long, and hold nothing any more. (In an EXISTS the planner ignores an order.)
    """
    [row] = fetch_tuples(
        connection,
        """
        SELECT (SELECT true FROM episodic_memory
                WHERE status = 'completed' AND embedding IS NULL
                ORDER BY id LIMIT 1) IS NOT NULL,
               (SELECT true FROM unembedded_messages ORDER BY ticket LIMIT 1) IS NOT NULL,
               EXISTS (SELECT FROM uncut_files),
               (SELECT true FROM file_passages
                WHERE embedding_model IS NULL AND NOT is_off_record
                ORDER BY passage_id LIMIT 1) IS NOT NULL
        """,
    )
    return Waiting(*row)
