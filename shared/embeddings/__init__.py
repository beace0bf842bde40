"""Text embeddings: in bulk for the workers, one query at a time on ONNX for the web.

Importing this loads neither torch nor onnxruntime. Each is imported at its first use.
"""

from shared.embeddings.bulk_encoder import (
    encode_queries,
    encode_texts,
    encode_with_tokens,
)
from shared.embeddings.model_files import locate_model
from shared.embeddings.model_properties import (
    check_model,
    dimension,
    former_defaults,
    model_name,
)
from shared.embeddings.query_encoder import QueryEncoder
from shared.models import Encoded, Vector

__all__ = [
    "Encoded",
    "QueryEncoder",
    "Vector",
    "check_model",
    "dimension",
    "encode_queries",
    "encode_texts",
    "encode_with_tokens",
    "former_defaults",
    "locate_model",
    "model_name",
]
