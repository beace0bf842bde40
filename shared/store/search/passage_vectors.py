"""Tables `file_passages` and `uncut_files`: passages of files, and files that wait to be cut.

A trigger puts a file with text on the waiting list when a message takes it. The text of a passage
never changes. Passages go with their file, and files with their message, by foreign keys.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pgvector import HalfVector

from shared.db import PgConnection, Row, execute, fetch_row, fetch_rows
from shared.models import Encoded, UserId
from shared.models.attachments import Place


@dataclass(frozen=True, kw_only=True)
class UncutFile:
    """A file that is to be cut, with the text that was read of it."""

    text: str
    media_type: str


def list_uncut(connection: PgConnection, limit: int) -> dict[UserId, list[str]]:
    """The files that wait longest to be cut, by user."""
    rows = fetch_rows(
        connection,
        "SELECT user_id, attachment_id FROM uncut_files ORDER BY ticket LIMIT %(limit)s",
        limit=limit,
    )
    files: defaultdict[UserId, list[str]] = defaultdict(list)
    for row in rows:
        files[UserId(row["user_id"])].append(str(row["attachment_id"]))
    return files


def take_uncut(connection: PgConnection, attachment_id: str) -> UncutFile | None:
    """Take a file off the list. None: it was cut or deleted meanwhile.

    Until the transaction ends, the file is not deleted and nobody else cuts it.
    """
    execute(
        connection,
        """
        SELECT FROM attachments WHERE attachment_id = %(attachment_id)s FOR NO KEY UPDATE
        """,
        attachment_id=attachment_id,
    )
    row = fetch_row(
        connection,
        """
        WITH taken AS (
            DELETE FROM uncut_files WHERE attachment_id = %(attachment_id)s
            RETURNING attachment_id)
        SELECT text, media_type
        FROM taken JOIN attachments USING (attachment_id)
        JOIN attachment_contents USING (attachment_id)
        """,
        attachment_id=attachment_id,
    )
    return UncutFile(text=row["text"] or "", media_type=row["media_type"]) if row else None


def put_last(connection: PgConnection, attachment_id: str) -> None:
    """Let the file wait behind all others that are on the list now."""
    execute(
        connection,
        "UPDATE uncut_files SET ticket = DEFAULT WHERE attachment_id = %(attachment_id)s",
        attachment_id=attachment_id,
    )


def add_passages(
    connection: PgConnection,
    attachment_id: str,
    first: int,
    passages: Sequence[tuple[str, Place | None]],
) -> None:
    """Add passages of a file that a message has, numbered from `first` on.

    Those off the record never get a vector.
    """
    execute(
        connection,
        """
        INSERT INTO file_passages (attachment_id, number, user_id, text, place, is_off_record)
        SELECT attachment_id, %(first)s + given.number - 1, a.user_id, given.text, given.place,
               c.mode = 'off'
        FROM attachments a JOIN conversations c USING (conversation_id),
             unnest(%(texts)s::text[], %(places)s::text[])
                 WITH ORDINALITY AS given (text, place, number)
        WHERE attachment_id = %(attachment_id)s
        """,
        attachment_id=attachment_id,
        first=first,
        texts=[text for text, _ in passages],
        places=[str(place) if place else None for _, place in passages],
    )


def list_unembedded(connection: PgConnection, limit: int) -> dict[UserId, list[int]]:
    """The ids of passages that wait for a vector, by user: the oldest, and the newest ones."""
    rows = fetch_rows(
        connection,
        """
        (SELECT user_id, passage_id FROM file_passages
         WHERE embedding_model IS NULL AND NOT is_off_record
         ORDER BY passage_id DESC LIMIT %(newest)s)
        UNION
        (SELECT user_id, passage_id FROM file_passages
         WHERE embedding_model IS NULL AND NOT is_off_record
         ORDER BY passage_id LIMIT %(oldest)s)
        """,
        newest=limit - limit // 2,
        oldest=limit // 2,
    )
    return _by_user(rows)


def list_of_other_models(
    connection: PgConnection, embedding_model: str, limit: int
) -> dict[UserId, list[int]]:
    """The ids of passages whose vector is of another model, by user."""
    rows = fetch_rows(
        connection,
        """
        SELECT user_id, passage_id FROM file_passages
        WHERE embedding_model < %(embedding_model)s OR embedding_model > %(embedding_model)s
        LIMIT %(limit)s
        """,
        embedding_model=embedding_model,
        limit=limit,
    )
    return _by_user(rows)


def read_texts(connection: PgConnection, passage_ids: Sequence[int]) -> list[tuple[int, str]]:
    """(id, text) of those that still exist."""
    rows = fetch_rows(
        connection,
        "SELECT passage_id, text FROM file_passages WHERE passage_id = ANY(%(ids)s::bigint[])",
        ids=list(passage_ids),
    )
    return [(row["passage_id"], row["text"]) for row in rows]


def set_embeddings(
    connection: PgConnection, done: Mapping[int, Encoded], embedding_model: str
) -> None:
    """Store vectors by passage id. One that was deleted meanwhile has no row to store it in.

    Rows are locked in the order of their ids, as another worker with some of them does.
    """
    ids = sorted(done)
    execute(
        connection,
        """
        SELECT FROM file_passages WHERE passage_id = ANY(%(ids)s::bigint[])
        ORDER BY passage_id FOR NO KEY UPDATE
        """,
        ids=ids,
    )
    execute(
        connection,
        """
        UPDATE file_passages
        SET embedding = given.embedding, token_signs = given.token_signs,
            embedding_model = %(embedding_model)s
        FROM unnest(%(ids)s::bigint[], %(vectors)s::halfvec[], %(token_signs)s::bytea[])
             AS given (id, embedding, token_signs)
        WHERE passage_id = given.id
        """,
        ids=ids,
        vectors=[HalfVector(done[passage_id].vector).to_text() for passage_id in ids],
        token_signs=[done[passage_id].token_signs.tobytes() for passage_id in ids],
        embedding_model=embedding_model,
    )


def count_waiting(connection: PgConnection, at_most: int) -> int:
    """How many files wait to be cut, and passages for a vector. Counting stops at `at_most`."""
    row = fetch_row(
        connection,
        """
        SELECT count(*) AS count FROM (
            SELECT FROM uncut_files
            UNION ALL
            SELECT FROM file_passages WHERE embedding_model IS NULL AND NOT is_off_record
            LIMIT %(at_most)s) AS few
        """,
        at_most=at_most,
    )
    return int(row["count"]) if row else 0


def count_of_other_models(connection: PgConnection, embedding_model: str) -> int:
    """How many passages have a vector of another model, or wait for one."""
    row = fetch_row(
        connection,
        """
        SELECT (SELECT count(*) FROM file_passages
                WHERE embedding_model < %(embedding_model)s
                   OR embedding_model > %(embedding_model)s)
             + (SELECT count(*) FROM file_passages
                WHERE embedding_model IS NULL AND NOT is_off_record) AS count
        """,
        embedding_model=embedding_model,
    )
    return int(row["count"]) if row else 0


def _by_user(rows: Sequence[Row]) -> dict[UserId, list[int]]:
    ids: defaultdict[UserId, list[int]] = defaultdict(list)
    for row in rows:
        ids[UserId(row["user_id"])].append(row["passage_id"])
    return ids
