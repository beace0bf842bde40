"""Texts to vectors: in bulk on torch for the workers, one query at a time on ONNX for the web.

Importing this loads neither torch nor onnxruntime: each is imported where it is first used.
"""

from shared.embeddings.bulk import (
    encode_texts,
    encode_with_tokens,
)
from shared.embeddings.identity import check_model, dimension, model_name
from shared.embeddings.locate import locate_model
from shared.embeddings.query import QueryEncoder
from shared.models import Encoded, Vector

__all__ = [
    "Encoded",
    "QueryEncoder",
    "Vector",
    "check_model",
    "dimension",
    "encode_texts",
    "encode_with_tokens",
    "locate_model",
    "model_name",
]
