"""`throughline backup` and `throughline restore`: a whole site as one folder."""

from __future__ import annotations

import shutil
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import click

from migrations import newest_revision
from migrations.__main__ import migrate_and_configure
from migrations.fresh_schema import make_schema_anew
from shared.db import Database
from shared.embeddings import model_name
from shared.maintenance.commands import CommandError, plain_errors
from shared.maintenance.verify import find_breaches
from shared.settings import Settings
from shared.settings.types import LONGEST_S
from shared.store.upkeep import backups, schema
from throughline.backup import postgres_tools
from throughline.backup.folder import DUMP, SECRETS, Manifest, checksum, read_manifest
from throughline.backup.sealing import seal, unseal
from throughline.backup.site_secrets import read_secrets, write_secrets
from throughline.printing import json_option, show
from throughline.site import find_settings

FOLDER = click.Path(file_okay=False, path_type=Path)
PASSPHRASE = "THROUGHLINE_PASSPHRASE"  # noqa: S105 - the name of a variable


@click.command()
@click.argument("folder", type=FOLDER)
@click.option(
    "--passphrase", envvar=PASSPHRASE, prompt=True, hide_input=True, confirmation_prompt=True,
    help=f"For the secrets. Asked for, or {PASSPHRASE} of the environment.",
)  # fmt: skip
@json_option
def backup(*, folder: Path, passphrase: str, as_json: bool) -> None:
    """Write the whole site into a new folder below FOLDER, while it runs.

    The database with all files, and the secrets, encrypted. It is one moment; nothing waits for it.
    """
    if not passphrase:
        raise click.UsageError("The passphrase is empty.")
    with plain_errors():
        settings = find_settings()
        now = datetime.now(UTC)
        target = folder / f"throughline-{now:%Y%m%d-%H%M%S}"
        partial = target.with_name(f"{target.name}.partial")
        partial.mkdir(mode=0o700, parents=True)
        try:
            manifest = _write(settings, partial, passphrase, now)
            partial.rename(target)
        except BaseException:
            shutil.rmtree(partial, ignore_errors=True)
            raise
    counts = ", ".join(f"{count} {name}" for name, count in manifest.rows.items())
    show({"folder": str(target), "rows": manifest.rows}, [f"{target}: {counts}"], as_json=as_json)


def _write(settings: Settings, folder: Path, passphrase: str, now: datetime) -> Manifest:
    url = settings.effective_migration_url
    (folder / SECRETS).write_bytes(seal(read_secrets(settings), passphrase))
    with closing(Database(url, 1)) as owner, owner.transaction() as connection:
        snapshot = backups.begin_snapshot(connection)
        rows = backups.count_rows(connection)
        revision = schema.find_revision(connection)
        postgres_tools.dump(url, snapshot, folder / DUMP)
    for name in (SECRETS, DUMP):
        (folder / name).chmod(0o600)
    manifest = Manifest(
        made_at=now.isoformat(timespec="seconds"),
        schema_revision=revision or "",
        embedding_model=model_name(settings),
        rows=rows,
        sha256={name: checksum(folder / name) for name in (SECRETS, DUMP)},
    )
    manifest.write(folder)
    return manifest


@click.command()
@click.argument("folder", type=FOLDER)
@click.option(
    "--passphrase", envvar=PASSPHRASE, prompt=True, hide_input=True,
    help=f"That of the backup. Asked for, or {PASSPHRASE} of the environment.",
)  # fmt: skip
@json_option
def restore(*, folder: Path, passphrase: str, as_json: bool) -> None:
    """Put the backup in FOLDER into this site, which is empty and of the same or a newer version.

    Nothing is changed before the backup was found to be whole. Afterwards the invariants are
    checked; exit code 1: one is broken. Then start the site anew.
    """
    with plain_errors():
        settings = find_settings()
        manifest = read_manifest(folder)
        secrets = unseal((folder / SECRETS).read_bytes(), passphrase)
        _check_fits(settings, manifest)
        url = settings.effective_migration_url
        make_schema_anew(url)
        postgres_tools.restore(url, folder / DUMP)
        migrate_and_configure(settings, "head")
        sentences = write_secrets(settings, secrets)
        with closing(Database(url, 1)) as owner, owner.transaction() as connection:
            rows = backups.count_rows(connection)
        with closing(Database(settings.database_url, 1)) as database:
            # Jobs that were open in the backup are as old as it; the sweep takes them up.
            patient = settings.model_copy(update={"stuck_after_s": LONGEST_S})
            broken = [one.invariant for one in find_breaches(database, patient, quiet=False)]
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
