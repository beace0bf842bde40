"""`throughline backup` and `throughline restore`: a whole site as one folder."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from migrations import newest_revision
from migrations.__main__ import migrate_and_configure
from migrations.fresh_schema import make_schema_anew
from shared.db import Database
from shared.embeddings import model_name
from shared.maintenance.backup import postgres_tools
from shared.maintenance.backup.folder import DUMP, SECRETS, Manifest, read_manifest
from shared.maintenance.backup.sealing import unseal
from shared.maintenance.backup.site_secrets import write_secrets
from shared.maintenance.backup.writing import lock_backups, write_backup
from shared.maintenance.commands import CommandError, plain_errors
from shared.maintenance.verify import find_breaches
from shared.settings import Settings
from shared.settings.types import LONGEST_S
from shared.store.upkeep import backups, schema
from throughline.printing import json_option, show
from throughline.site import find_settings

FOLDER = click.Path(file_okay=False, path_type=Path)
NO_SECRETS = (
    "The backup has no secrets. Set SECRET_KEY to the old site's, "
    "or second factors and keys of models cannot be read."
)


def passphrase_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--passphrase", default="", help="For the secrets. BACKUP_PASSPHRASE, or asked for."
    )(command)


@click.command()
@click.argument("folder", type=FOLDER)
@passphrase_option
@json_option
def backup(*, folder: Path, passphrase: str, as_json: bool) -> None:
    """Write the whole site into a new folder below FOLDER, while it runs.

    The database with all files, and the secrets, encrypted. It is one moment; nothing waits for it.
    Then it is read back.
    """
    with plain_errors():
        settings = find_settings()
        chosen = _choose_passphrase(settings, passphrase, is_new=True)
        folder.mkdir(parents=True, exist_ok=True)
        with lock_backups(settings):
            result = write_backup(settings, folder, chosen, datetime.now(UTC))
            database = Database(settings.database_url, 1)
            with closing(database), database.upkeep() as connection:
                backups.note_made(connection, result.record)
    rows = result.manifest.rows
    counts = ", ".join(f"{count} {name}" for name, count in rows.items())
    show(
        {"folder": str(result.folder), "rows": rows}, [f"{result.folder}: {counts}"],
        as_json=as_json,
    )  # fmt: skip


def _choose_passphrase(settings: Settings, passphrase: str, *, is_new: bool) -> str:
    return (
        passphrase
        or settings.backup_passphrase.get_secret_value()
        or str(click.prompt("Passphrase", hide_input=True, confirmation_prompt=is_new))
    )


@click.command()
@click.argument("folder", type=FOLDER)
@passphrase_option
@json_option
def restore(*, folder: Path, passphrase: str, as_json: bool) -> None:
    """Put the backup in FOLDER into this site, which is empty and of the same or a newer version.

    Nothing is changed before the backup was found to be whole. Afterwards the invariants are
    checked; exit code 1: one is broken. Then start the site anew.
    """
    with plain_errors():
        settings = find_settings()
        manifest = read_manifest(folder)
        secrets: dict[str, str] = {}
        if manifest.has_secrets:
            chosen = _choose_passphrase(settings, passphrase, is_new=False)
            secrets = unseal((folder / SECRETS).read_bytes(), chosen)
        _check_fits(settings, manifest)
        url = settings.effective_migration_url
        make_schema_anew(url)
        postgres_tools.restore(url, folder / DUMP)
        migrate_and_configure(settings, "head")
        sentences = write_secrets(settings, secrets) if secrets else [NO_SECRETS]
        with closing(Database(url, 1)) as owner, owner.transaction() as connection:
            rows = backups.count_rows(connection)
        with closing(Database(settings.database_url, 1)) as database:
            # Jobs that were open in the backup are as old as it; the sweep takes them up.
            patient = settings.model_copy(update={"stuck_after_s": LONGEST_S})
            broken = [breach.invariant for breach in find_breaches(database, patient, quiet=False)]
    lost = sorted(name for name, count in manifest.rows.items() if rows[name] != count)
    lines = [f"{count} {name}" for name, count in rows.items()]
    lines += [f"broken: {name}" for name in broken]
    lines += [f"not as many as in the backup: {name}" for name in lost]
    lines += [*sentences, "Restored. Start the site anew now: it still knows the old keys."]
    show({"rows": rows, "broken": broken, "lost": lost}, lines, as_json=as_json)
    sys.exit(1 if broken or lost else 0)


def _check_fits(settings: Settings, manifest: Manifest) -> None:
    """Raises `CommandError` where something would be lost."""
    if manifest.schema_revision > newest_revision():
        raise CommandError(
            f"The backup is of a newer version ({manifest.schema_revision}, this one knows "
            f"{newest_revision()}). Nothing was changed."
        )
    if manifest.embedding_model != model_name(settings):
        raise CommandError(
            f"The backup's vectors are of {manifest.embedding_model}: set EMBEDDING_MODEL to it. "
            "Nothing was changed."
        )
    database = Database(settings.effective_migration_url, 1)
    with closing(database), database.transaction() as connection:
        is_new = schema.find_revision(connection) is None
        rows = {} if is_new else backups.count_rows(connection)
    if any(rows.values()):
        raise CommandError("This site is not empty. Restore into a new DATA_DIR or database.")
