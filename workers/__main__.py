"""`python -m workers worker …` and `python -m workers beat …`: these commands of Celery, alone.

The command `celery` runs them as well. But in every process it also loads its plug-in Flower and a
shell, which cost 12 MB and time at the start.
"""

from __future__ import annotations

from importlib import import_module

import click
from celery.bin.base import CLIContext
from celery.bin.beat import beat
from celery.bin.worker import worker

from shared.garbage import pause_collection
from shared.settings import current_settings

APPLICATIONS = {"worker": "workers.app", "beat": "workers.without_tasks"}


@click.group()
@click.pass_context
def main(context: click.Context) -> None:
    pause_collection()
    command = context.invoked_subcommand or "worker"
    app = import_module(APPLICATIONS[command]).app
    context.obj = CLIContext(app=app, no_color=False, workdir=None, quiet=True)
    if command == "worker":  # beat has no database
        import_module("shared.maintenance.site_check").check_site(current_settings())


main.add_command(worker)
main.add_command(beat)

if __name__ == "__main__":
    main(prog_name="python -m workers")
