"""`throughline reembed`: replace the vectors of other models by those of EMBEDDING_MODEL."""

from __future__ import annotations

import click

from shared.derivations import embedding
from shared.embeddings.model_properties import check_model, model_name
from throughline.printing import json_option, progress, show
from throughline.site import open_services


@click.command()
@json_option
def reembed(*, as_json: bool) -> None:
    """Replace the vectors of other models by those of EMBEDDING_MODEL.

    The system may run meanwhile: full-text search finds the texts whose vectors are not replaced
    yet. Afterwards restart with the new EMBEDDING_MODEL, and run this again for texts embedded
    meanwhile.
    """
    with open_services() as services:
        check_model(services.settings)
        length = embedding.count_other_vectors(services)
        with progress("Embedding", length, as_json=as_json) as bar:
            done = embedding.reembed(services, bar.update)
        name = model_name(services.settings)
    show({"embedded": done, "model": name}, [f"{done} embedded anew with {name}"], as_json=as_json)
