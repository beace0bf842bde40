"""`/v1/models`: the models that a client may name."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from shared.settings import Settings
from web.callers import needs
from web.context import web_context
from web.openai.errors import UnknownModelError

blueprint = Blueprint("openai_models", __name__, url_prefix="/v1/models")

CREATED = 0  # nobody knows when they were made; the field is required
OWNER = "throughline"


def list_model_names(settings: Settings) -> tuple[str, ...]:
    """The models for replies: the site's, then its fallbacks."""
    return tuple(dict.fromkeys((settings.llm_model, *settings.llm_fallbacks)))


def check_model(name: str, settings: Settings) -> str:
    """Raises `UnknownModelError`."""
    known = list_model_names(settings)
    if name not in known:
        raise UnknownModelError(name, known)
    return name


@blueprint.get("")
@needs("chat")
def list_models() -> Response:
    names = list_model_names(web_context().services.settings)
    return jsonify(object="list", data=[_model_json(name) for name in names])


@blueprint.get("/<path:name>")
@needs("chat")
def get_model(name: str) -> Response:
    """A model for replies, or the one for embeddings."""
    settings = web_context().services.settings
    known = (*list_model_names(settings), settings.embedding_model)
    if name not in known:
        raise UnknownModelError(name, known)
    return jsonify(_model_json(name))


def _model_json(name: str) -> dict[str, object]:
    return {"id": name, "object": "model", "created": CREATED, "owned_by": OWNER}
