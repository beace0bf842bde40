"""`throughline user`: a user's data as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO, cast

import click

from shared.embeddings.query_encoder import QueryEncoder
from shared.rounds.runner import RoundRunner
from shared.user_data.erasure.conversations import erase_user
from shared.user_data.export import export_user
from throughline.printing import json_option, show
from throughline.site import find_user, open_services


@click.group()
def user() -> None:
    """Everything about USER: the id, or the account's name."""


@user.command()
@click.argument("user")
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True), default="-")
def export(*, user: str, file: str) -> None:
    """Write all that is stored about USER to FILE, as JSON (to the standard output by default)."""
    with open_services() as services, _open_whole(file) as whole:
        for block in export_user(services, find_user(services, user), datetime.now(UTC)):
            whole.write(block)


@contextmanager
def _open_whole(path: str) -> Iterator[TextIO]:
    """A file that appears under its name when it is complete, and not at all after an error.

    click's own `File(atomic=True)` puts half a file in place.
    """
    if path == "-":
        with click.open_file(path, "w", encoding="utf-8") as stdout:
            yield cast(TextIO, stdout)
        return
    partial = Path(f"{path}.partial")
    try:
        with partial.open("w", encoding="utf-8") as file:
            yield file
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


@user.command()
@click.argument("user")
@click.option("--dry-run", is_flag=True, help="Only count what would go.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
def erase(*, user: str, dry_run: bool, yes: bool, as_json: bool) -> None:
    """Erase all conversations and memory of USER, for ever. An account stays, and is empty."""
    if not (dry_run or yes):
        click.confirm(f"Erase everything about {user}, for ever?", abort=True, err=True)
    with open_services() as services:
        runner = RoundRunner(services, QueryEncoder(services.settings))
        receipt = erase_user(services, runner, find_user(services, user), dry_run=dry_run)
    counts = asdict(receipt.counts)
    lines = [f"{name.replace('_', ' ')}: {count}" for name, count in counts.items()]
    head = "Would be erased:" if dry_run else "Erased:"
    show({"dry_run": dry_run, "erased": counts}, [head, *lines], as_json=as_json)
