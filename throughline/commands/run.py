"""`throughline run`: start everything, as `make run` does."""

from __future__ import annotations

import click


@click.command()
def run() -> None:
    """Start everything on this machine, and say where the page is."""
    try:
        from supervisor.__main__ import main
    except ModuleNotFoundError:
        raise click.ClickException(
            "This image runs one process a container: see docker-compose.yml."
        ) from None
    main()
