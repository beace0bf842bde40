"""`throughline restore`: put a backup in the place of what a site holds."""

from __future__ import annotations

import shutil
import sys
from contextlib import closing, nullcontext
from pathlib import Path

import click

from migrations import newest_revision
from migrations.replaced_schema import replace_schema
from shared.db import Database
from shared.embeddings.model_properties import model_name
from shared.ephemeral.redis_client import connect_redis
from shared.ephemeral.short_term import forget_all_turns
from shared.maintenance.backup.folder import DUMP, SECRETS, Manifest, read_manifest
from shared.maintenance.backup.sealing import unseal
from shared.maintenance.backup.site_secrets import RestoredSecrets
from shared.maintenance.backup.writing import check_sees_all, lock_backups
from shared.maintenance.commands import CommandError, plain_errors
from shared.maintenance.verify import find_breaches
from shared.settings import Settings
from shared.settings.types import LONGEST_S
from shared.store.upkeep import backups, schema
from throughline.commands.backup import FOLDER, choose_passphrase, passphrase_option
from throughline.printing import json_option, show
from throughline.site import find_settings

NO_SECRETS = (
    "The backup has no secrets. Set SECRET_KEY to the old site's, "
    "or second factors and keys of models cannot be read."
)
ROOM = 2  # of the database's bytes: the tables, and Postgres' log of them
NAMES = {"users": "users", "conversations": "chats", "messages": "messages", "facts": "facts"}


@click.command()
@click.argument("folder", type=FOLDER)
@passphrase_option
@click.option("--replace", is_flag=True, help="Also where all that the site holds goes.")
@json_option
def restore(*, folder: Path, passphrase: str, replace: bool, as_json: bool) -> None:
    """Put the backup in FOLDER into this site, which is of the same or a newer version.

    The site goes on with what it has until the backup is there as a whole; a failure changes
    nothing. Afterwards the invariants are checked; exit code 1: one is broken. Then start the site
    anew.
    """
    with plain_errors():
        settings = find_settings()
        manifest = read_manifest(folder)
        _check_fits(settings, manifest)
        with lock_backups(settings):
            _check_site(settings, manifest, may_replace=replace)
            secrets = _read_secrets(settings, folder, passphrase) if manifest.has_secrets else None
            with secrets.beside() if secrets else nullcontext():
                rows = replace_schema(settings, folder / DUMP, manifest.rows)
            sentences = secrets.put_in_place() if secrets else [NO_SECRETS]
        with closing(connect_redis(settings.redis_url)) as client:
            forget_all_turns(client)
        broken = _list_broken(settings)
    lines = [f"{count} {name}" for name, count in rows.items()]
    lines += [f"broken: {name}" for name in broken]
    lines += [*sentences, "Restored. Start the site anew now: it still knows the old keys."]
    show({"rows": rows, "broken": broken}, lines, as_json=as_json)
    sys.exit(1 if broken else 0)


def _check_fits(settings: Settings, manifest: Manifest) -> None:
    """Raises `CommandError` where this version cannot use the backup."""
    if manifest.schema_revision > newest_revision():
        raise CommandError(
            f"The backup is of a newer version ({manifest.schema_revision}, this one knows "
            f"{newest_revision()}). Nothing was changed."
        )
    if manifest.embedding_model != model_name(settings):
        raise CommandError(
            f"The backup's vectors are of {manifest.embedding_model!r}: set EMBEDDING_MODEL to it. "
            "Nothing was changed."
        )


def _check_site(settings: Settings, manifest: Manifest, *, may_replace: bool) -> None:
    """Raises `CommandError` where something would be lost, and says what."""
    database = Database(settings.effective_migration_url, 1)
    with closing(database), database.transaction() as connection:
        if not schema.is_enough(schema.find_revision(connection)):
            raise CommandError("The site has no schema of this version yet: start it once.")
        check_sees_all(connection)
        _check_room(backups.find_folder(connection), ROOM * manifest.database_bytes)
        tables = [] if may_replace else backups.list_filled(connection)
        rows = backups.count_rows(connection) if tables else {}
    if tables:
        counts = ", ".join(f"{rows[kind]} {name}" for kind, name in NAMES.items())
        raise CommandError(
            f"This site is not empty. With --replace these would go: {counts}, and all else "
            f"({', '.join(tables)}). Nothing was changed."
        )


def _check_room(folder: str | None, needed: int) -> None:
    """A disk that the restore fills is the one that the site writes to."""
    if folder is None or not Path(folder).is_dir():
        return
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise CommandError(
            f"{folder} has {free} bytes free, a restore needs {needed}. Nothing was changed."
        )


def _read_secrets(settings: Settings, folder: Path, passphrase: str) -> RestoredSecrets:
    chosen = choose_passphrase(settings, passphrase, is_new=False)
    return RestoredSecrets(settings, unseal(folder / SECRETS, chosen))


def _list_broken(settings: Settings) -> list[str]:
    with closing(Database(settings.database_url, 1)) as database:
        # Jobs that were open in the backup are as old as it; the sweep takes them up.
        patient = settings.model_copy(update={"stuck_after_s": LONGEST_S})
        return [breach.invariant for breach in find_breaches(database, patient, quiet=False)]
