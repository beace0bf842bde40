"""Texts to vectors: in bulk on torch for the workers, one query at a time on ONNX for the web.

Importing this loads neither torch nor onnxruntime: each is imported where it is first used.
"""

from shared.embeddings.bulk import encode_texts
from shared.embeddings.identity import check_model, dimension, model_name
from shared.embeddings.locate import locate_model
from shared.embeddings.query import QueryEncoder

__all__ = [
    "QueryEncoder",
    "check_model",
    "dimension",
    "encode_texts",
    "locate_model",
    "model_name",
]
