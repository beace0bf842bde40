"""The migrations of the database (Alembic). `schema.sql` makes a new one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from migrations.upkeep import grant_upkeep, grant_upkeep_within
from shared.maintenance.commands import CommandError
from shared.store.upkeep.schema import read_revision

if TYPE_CHECKING:
    from alembic.config import Config
    from psycopg2.extensions import cursor as Cursor  # noqa: N812 - a type
    from sqlalchemy import Connection

FOLDER = Path(__file__).parent
SCHEMA_FILE = FOLDER / "schema.sql"

#: Up to the migrations that must wait until no process of the version before runs any more. Such a
#: one says `PHASE = "after"`; it takes away what only that version needs.
BEFORE = "before"

PATIENCE_S = 120  # in which a migration gets the locks that it needs, or fails


def upgrade(database_url: str, revision: str = "head", *, patience_s: float = PATIENCE_S) -> None:
    """Migrate the database up to `revision`, `head` or `before`, and give upkeep its rights.

    Several processes at once take turns. Alembic takes half a second to import, so it is left alone
    where there is nothing to do.
    """
    current = read_revision(database_url)
    if revision == BEFORE:
        target = last_before()
        is_done = (current or "") >= target
    else:
        target = revision
        is_done = revision == "head" and current == newest_revision()
    if not is_done:
        from alembic import command

        _run(command.upgrade, target, database_url=database_url, patience_s=patience_s)
    if revision in {"head", BEFORE}:
        grant_upkeep(database_url)


def upgrade_within(connection: Connection, cursor: Cursor) -> None:
    """`upgrade`, in the caller's transaction. `cursor` is one of the same connection."""
    from alembic import command

    _run(command.upgrade, "head", connection=connection)
    grant_upkeep_within(cursor)


def downgrade(database_url: str, revision: str) -> None:
    """Migrate the database down to `revision`, which is not older than the baseline."""
    from alembic import command

    _run(command.downgrade, revision, database_url=database_url, patience_s=PATIENCE_S)


def newest_revision() -> str:
    """The revision that this code expects: the number in the last file's name."""
    return max(_list_revisions())


def oldest_revision() -> str:
    """The revision of the baseline: the number in the first file's name."""
    return min(_list_revisions())


def _list_revisions() -> list[str]:
    return [path.name.partition("_")[0] for path in FOLDER.glob("versions/[0-9]*.py")]


def last_before() -> str:
    """The newest revision on which the version before runs, too."""
    from alembic.script import ScriptDirectory

    newest_first = ScriptDirectory.from_config(_config()).walk_revisions()
    phases = ((s.revision, getattr(s.module, "PHASE", BEFORE)) for s in newest_first)
    return next(revision for revision, phase in phases if phase == BEFORE)


def _run(step: Callable[[Config, str], None], revision: str, **attributes: object) -> None:
    """`attributes` are for `env.py`."""
    from alembic.util import CommandError as AlembicError

    config = _config()
    config.attributes.update(attributes)
    try:
        step(config, revision)
    except AlembicError as exc:  # such as an unknown revision
        raise CommandError(str(exc)) from exc


def _config() -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(FOLDER))
    return config
