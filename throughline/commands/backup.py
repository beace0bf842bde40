"""`throughline backup`: a whole site as one folder."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from shared.db import Database
from shared.maintenance.backup.writing import lock_backups, write_backup
from shared.maintenance.commands import plain_errors
from shared.settings import Settings
from shared.store.upkeep import backups
from throughline.printing import json_option, show
from throughline.site import find_settings

FOLDER = click.Path(file_okay=False, path_type=Path)


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
        chosen = choose_passphrase(settings, passphrase, is_new=True)
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


def choose_passphrase(settings: Settings, passphrase: str, *, is_new: bool) -> str:
    return (
        passphrase
        or settings.backup_passphrase.get_secret_value()
        or str(click.prompt("Passphrase", hide_input=True, confirmation_prompt=is_new))
    )
