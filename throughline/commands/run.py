"""`throughline run`: start everything, as `make run` does."""

from __future__ import annotations

import click


@click.command()
@click.option("--logs", is_flag=True, help="Show what the processes print, too.")
def run(logs: bool) -> None:
    """Start everything on this machine, and say where the page is."""
    try:
        from supervisor.__main__ import main
    except ModuleNotFoundError:
        raise click.ClickException(
            "This image runs one process a container: see docker-compose.yml."
        ) from None
    main(is_quiet=not logs)
