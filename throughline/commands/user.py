"""`throughline user`: a user's data as a whole."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import TextIO

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
@click.argument("file", type=click.File("w", encoding="utf-8", atomic=True), default="-")
def export(*, user: str, file: TextIO) -> None:
    """Write all that is stored about USER to FILE, as JSON (to the standard output by default)."""
    with open_services() as services:
        for block in export_user(services, find_user(services, user), datetime.now(UTC)):
            file.write(block)


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
