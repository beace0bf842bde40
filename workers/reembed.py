"""`python -m workers.reembed`: replace the vectors of other models by those of EMBEDDING_MODEL.

The system may run meanwhile: full-text search finds the texts whose vectors are not replaced yet.
Afterwards restart with the new EMBEDDING_MODEL, and run this again for texts embedded meanwhile.
"""

from __future__ import annotations

import click

from shared.derivations.embedding import reembed
from shared.embeddings import check_model, model_name
from shared.maintenance.commands import plain_errors
from shared.services import current_services


@click.command()
def main() -> None:
    services = current_services()
    check_model(services.settings)
    with plain_errors():
        done = reembed(services)
    click.echo(f"{done} embedded anew with {model_name(services.settings)}")
    services.close()


if __name__ == "__main__":
    main()
