"""The migrations of the database (Alembic). `schema.sql` shows the schema that they lead to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from alembic.config import Config


def upgrade(database_url: str, revision: str = "head") -> None:
    """Migrate the database up to `revision`, and give upkeep its rights.

    Several processes at once take turns.
    """
    from alembic import command

    from migrations.upkeep import grant_upkeep

    command.upgrade(_config(database_url), revision)
    if revision == "head":
        grant_upkeep(database_url)


def downgrade(database_url: str, revision: str) -> None:
    """Migrate the database down to `revision`. `base` is an empty database."""
    from alembic import command

    command.downgrade(_config(database_url), revision)


def newest_revision() -> str | None:
    """The revision that this code expects."""
    from alembic.script import ScriptDirectory

    return ScriptDirectory.from_config(_config("")).get_current_head()


def _config(database_url: str) -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["database_url"] = database_url
    return config
