"""The migrations of the database (Alembic). `schema.sql` shows the schema that they lead to."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg2

from migrations.upkeep import grant_upkeep
from shared.maintenance.commands import CommandError
from shared.store.upkeep.schema import find_revision

if TYPE_CHECKING:
    from alembic.config import Config

FOLDER = Path(__file__).parent


def upgrade(database_url: str, revision: str = "head") -> None:
    """Migrate the database up to `revision`, and give upkeep its rights.

    Several processes at once take turns. Alembic takes half a second to import, so it is left alone
    where there is nothing to do.
    """
    if revision != "head" or not _is_newest(database_url):
        from alembic import command

        _run(command.upgrade, database_url, revision)
    if revision == "head":
        grant_upkeep(database_url)


def downgrade(database_url: str, revision: str) -> None:
    """Migrate the database down to `revision`. `base` is an empty database."""
    from alembic import command

    _run(command.downgrade, database_url, revision)


def newest_revision() -> str:
    """The revision that this code expects: the number in the last file's name."""
    return max(path.name.partition("_")[0] for path in FOLDER.glob("versions/[0-9]*.py"))


def _is_newest(database_url: str) -> bool:
    with closing(psycopg2.connect(database_url, connect_timeout=5)) as connection:
        return find_revision(connection) == newest_revision()


def _run(step: Callable[[Config, str], None], database_url: str, revision: str) -> None:
    from alembic.config import Config
    from alembic.util import CommandError as AlembicError

    config = Config()
    config.set_main_option("script_location", str(FOLDER))
    config.attributes["database_url"] = database_url
    try:
        step(config, revision)
    except AlembicError as exc:  # such as an unknown revision
        raise CommandError(str(exc)) from exc
