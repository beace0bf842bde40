"""`POST /v1/embeddings`: the site's embedding model, as it reads questions."""

from __future__ import annotations

import base64
from typing import Any, Literal

from flask import Blueprint, Response, g, jsonify, request
from pydantic import BaseModel, ConfigDict

from shared.errors import BusyError
from shared.llm import count_tokens
from shared.models import Vector
from web.openai.errors import BadParameterError, UnknownModelError
from web.openai.forms import read_openai_form
from web.process.context import web_context
from web.requests.callers import needs
from web.requests.forms import MAX_MESSAGE_CHARS

blueprint = Blueprint("openai_embeddings", __name__, url_prefix="/v1")

MAX_INPUTS = 256
ENCODE_S = 20.0  # for one text; other requests may be before it
TOKENS_REFUSED = "input: send texts. Tokens are those of another model."
LOADING = "The embedding model is being loaded. Please try again in a few seconds."


class EmbeddingForm(BaseModel):
    """`POST /v1/embeddings`."""

    model_config = ConfigDict(extra="allow")

    model: str
    input: str | list[Any]
    encoding_format: Literal["float", "base64"] | None = None
    dimensions: int | None = None


@blueprint.post("/embeddings")
@needs("chat")
def create_embeddings() -> Response:
    form = read_openai_form(request, EmbeddingForm)
    context = web_context()
    known = context.services.settings.embedding_model
    if form.model != known:
        raise UnknownModelError(form.model, (known,))
    texts = _check_texts(form.input)
    with context.limits.searches.slot(g.user_id):
        vectors = [_encode(text) for text in texts]
    _check_dimensions(form.dimensions, len(vectors[0]))
    count = count_tokens(context.services.models.settings().chat_model)
    tokens = sum(count(text) for text in texts)
    data = [
        {"object": "embedding", "index": index, "embedding": _encode_vector(vector, form)}
        for index, vector in enumerate(vectors)
    ]
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    return jsonify(object="list", data=data, model=form.model, usage=usage)


def _check_texts(embedding_input: str | list[Any]) -> list[str]:
    texts = [embedding_input] if isinstance(embedding_input, str) else embedding_input
    if not 0 < len(texts) <= MAX_INPUTS:
        raise BadParameterError("input", f"input: 1 to {MAX_INPUTS} texts.")
    if not all(isinstance(text, str) for text in texts):
        raise BadParameterError("input", TOKENS_REFUSED)
    if not all(text.strip() and len(text) <= MAX_MESSAGE_CHARS for text in texts):
        raise BadParameterError("input", f"input: texts of 1 to {MAX_MESSAGE_CHARS:,} characters.")
    return texts


def _check_dimensions(dimensions: int | None, there_are: int) -> None:
    if dimensions not in {None, there_are}:
        raise BadParameterError("dimensions", f"dimensions: this model has {there_are}.")


def _encode(text: str) -> Vector:
    encoded = web_context().encoder.encode(text, ENCODE_S)
    if encoded is None:
        raise BusyError(LOADING)
    return encoded.vector


def _encode_vector(vector: Vector, form: EmbeddingForm) -> list[float] | str:
    if form.encoding_format == "base64":
        return base64.b64encode(vector.astype("<f4").tobytes()).decode()
    return [float(number) for number in vector]
