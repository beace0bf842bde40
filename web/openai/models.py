"""`/v1/models`: the models that a client may name."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from web.openai.errors import UnknownModelError
from web.process.context import web_context
from web.requests.callers import needs

blueprint = Blueprint("openai_models", __name__, url_prefix="/v1/models")

CREATED = 0  # nobody knows when they were made; the field is required
OWNER = "throughline"


def check_model(name: str) -> str:
    """The model that answers: the named one, or the default where any name is taken.

    Raises `UnknownModelError`.
    """
    settings = web_context().services.models.settings()
    if name in settings.offered_models:
        return name
    if settings.takes_any_client_model:
        return settings.chat_model
    raise UnknownModelError(name, settings.offered_models)


@blueprint.get("")
@needs("chat")
def list_models() -> Response:
    names = web_context().services.models.settings().offered_models
    return jsonify(object="list", data=[_model_json(name) for name in names])


@blueprint.get("/<path:name>")
@needs("chat")
def get_model(name: str) -> Response:
    """A model for replies, or the one for embeddings."""
    settings = web_context().services.models.settings()
    known = (*settings.offered_models, settings.embedding_model)
    if name not in known:
        raise UnknownModelError(name, known)
    return jsonify(_model_json(name))


def _model_json(name: str) -> dict[str, object]:
    return {"id": name, "object": "model", "created": CREATED, "owned_by": OWNER}
