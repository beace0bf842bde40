"""Table `site_models`. Keys come and go encrypted."""

from __future__ import annotations

from dataclasses import asdict

from shared.db import PgConnection, Row, execute, fetch_row, fetch_rows
from shared.errors import NameTakenError, NotFoundError
from shared.models.site_models import ModelConfig, StoredModel

_LOCK = 0x7468_726C_6D6F_646C  # key of the advisory lock


def lock_models(connection: PgConnection) -> None:
    """Keep other writers waiting until commit, so that models are counted before one is added."""
    execute(connection, "SELECT pg_advisory_xact_lock(%(key)s)", key=_LOCK)


def list_models(connection: PgConnection) -> list[StoredModel]:
    """All models, by name."""
    rows = fetch_rows(connection, "SELECT * FROM site_models ORDER BY name")
    return [_from_row(row) for row in rows]


def get_model(connection: PgConnection, model_id: int) -> StoredModel:
    """The model with this name. Raises `NotFoundError`."""
    row = fetch_row(
        connection, "SELECT * FROM site_models WHERE model_id = %(model_id)s", model_id=model_id
    )
    return _existing(row)


def add_model(
    connection: PgConnection, config: ModelConfig, sealed_key: bytes | None
) -> StoredModel:
    """Add a model. A new default replaces the former one. Raises `NameTakenError`."""
    _make_room(connection, config)
    row = fetch_row(
        connection,
        """
        INSERT INTO site_models
            (name, protocol, address, served_name, sealed_key, is_offered, is_chat_default,
             is_memory_default, context_tokens, max_tokens, trust)
        VALUES (%(name)s, %(protocol)s, %(address)s, %(served_name)s, %(sealed_key)s,
                %(is_offered)s, %(is_chat_default)s, %(is_memory_default)s, %(context_tokens)s,
                %(max_tokens)s, %(trust)s)
        ON CONFLICT (name) DO NOTHING
        RETURNING *
        """,
        sealed_key=sealed_key,
        **asdict(config),
    )
    if row is None:
        raise NameTakenError
    return _from_row(row)


def change_model(
    connection: PgConnection, model_id: int, config: ModelConfig, sealed_key: bytes | None
) -> StoredModel:
    """Change all of a model but its name. Raises `NotFoundError`."""
    _make_room(connection, config)
    row = fetch_row(
        connection,
        """
        UPDATE site_models
        SET protocol = %(protocol)s, address = %(address)s, served_name = %(served_name)s,
            sealed_key = %(sealed_key)s, is_offered = %(is_offered)s,
            is_chat_default = %(is_chat_default)s, is_memory_default = %(is_memory_default)s,
            context_tokens = %(context_tokens)s, max_tokens = %(max_tokens)s, trust = %(trust)s,
            changed_at = now()
        WHERE model_id = %(model_id)s
        RETURNING *
        """,
        model_id=model_id,
        sealed_key=sealed_key,
        **asdict(config),
    )
    return _existing(row)


def delete_model(connection: PgConnection, model_id: int) -> None:
    """Delete a model. Raises `NotFoundError`."""
    touched = execute(
        connection, "DELETE FROM site_models WHERE model_id = %(model_id)s", model_id=model_id
    )
    if touched == 0:
        raise NotFoundError("There is no such model.")


def _make_room(connection: PgConnection, config: ModelConfig) -> None:
    """There is one default for chats, and one for memory."""
    execute(
        connection,
        """
        UPDATE site_models
        SET is_chat_default = is_chat_default AND NOT %(is_chat_default)s,
            is_memory_default = is_memory_default AND NOT %(is_memory_default)s
        WHERE name <> %(name)s AND (is_chat_default OR is_memory_default)
        """,
        name=config.name,
        is_chat_default=config.is_chat_default,
        is_memory_default=config.is_memory_default,
    )


def _existing(row: Row | None) -> StoredModel:
    if row is None:
        raise NotFoundError("There is no such model.")
    return _from_row(row)


def _from_row(row: Row) -> StoredModel:
    return StoredModel(
        model_id=row["model_id"],
        config=ModelConfig(
            name=row["name"],
            protocol=row["protocol"],
            address=row["address"],
            served_name=row["served_name"],
            is_offered=row["is_offered"],
            is_chat_default=row["is_chat_default"],
            is_memory_default=row["is_memory_default"],
            context_tokens=row["context_tokens"],
            max_tokens=row["max_tokens"],
            trust=row["trust"],
        ),
        sealed_key=bytes(row["sealed_key"]) if row["sealed_key"] is not None else None,
        created_at=row["created_at"],
        changed_at=row["changed_at"],
    )
