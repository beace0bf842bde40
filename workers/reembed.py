"""`python -m workers.reembed`: replace the vectors of other models by those of EMBEDDING_MODEL.

The system may run meanwhile; what is not yet replaced is found by its words. Afterwards restart
with the new EMBEDDING_MODEL, and run it once more for what was embedded in between.
"""

from __future__ import annotations

import click

from shared.commands import plain_errors
from shared.derivations.embedding import reembed
from shared.embeddings import check_model, model_name
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
