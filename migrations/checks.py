"""What is checked after a migration: the database fits the settings, and logs no texts.

Each check gets a connection as the database's owner, who sees all rows.
"""

from __future__ import annotations

from collections.abc import Sequence

import click

from shared.db import PgConnection
from shared.embeddings.model_properties import model_name
from shared.settings import Settings, SettingsError
from shared.store.search import languages, vector_models
from shared.store.upkeep import server_log


def check_stored_model(connection: PgConnection, settings: Settings) -> None:
    """Raises `SettingsError` if a table has only vectors of other models, which search ignores.

    Vectors of both models mean that re-embedding is under way.
    """
    name = model_name(settings)
    others = (
        vector_models.find_other_model(connection, table, name)
        for table in vector_models.TABLES
        if not vector_models.has_model(connection, table, name)
    )
    other = next(filter(None, others), None)
    if other is not None:
        raise SettingsError(
            f"EMBEDDING_MODEL: the database holds vectors of {other}, and none of {name}. "
            f"Set EMBEDDING_MODEL back, or replace them first: bin/throughline reembed"
        )


def read_languages(connection: PgConnection, names: Sequence[str]) -> None:
    """Raises `SettingsError` for a language that Postgres does not know."""
    unknown = languages.list_unknown(connection, names)
    if unknown:
        raise SettingsError(f"RECALL_LANGUAGES: Postgres does not know {', '.join(unknown)}.")
    if languages.set_languages(connection, names):
        click.echo(f"All words are now read as {', '.join(names)}.")


def warn_of_log(connection: PgConnection) -> None:
    """Warn of settings of Postgres that let users' texts into its log."""
    if revealing := server_log.list_revealing(connection):
        click.echo(
            f"Postgres may write what people say to its log ({', '.join(revealing)}): "
            "see docs/operations.md, Logs."
        )
