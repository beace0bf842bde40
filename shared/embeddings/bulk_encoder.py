"""Encode many texts at once. For the workers.

Models in sentence-transformers folders run on torch, the packed model on ONNX.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shared.embeddings.export import export_onnx
from shared.embeddings.model_files import locate_model
from shared.embeddings.model_properties import dimension
from shared.embeddings.onnx_model import OnnxModel
from shared.embeddings.sentence_model import load_sentence_model
from shared.embeddings.token_signs import signs_of
from shared.models import Encoded
from shared.settings import Settings

if TYPE_CHECKING:
    import numpy as np

BATCH_SIZE = 32

# The tokenizer is not thread-safe, and two encodes at once would share one core anyway.
_encode_lock = threading.Lock()


def encode_texts(texts: Sequence[str], settings: Settings) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Unit vectors in the order of the texts: float32, shape (number of texts, dimension).

    Texts are truncated to the model's maximum sequence length. The first call in a process
    loads the model (some 10 s, 600 MB).
    """
    import numpy as np

    if not texts:
        return np.zeros((0, dimension(settings)), dtype=np.float32)
    if is_packed(settings):
        return np.stack([encoded.vector for encoded in encode_with_tokens(texts, settings)])
    model = load_sentence_model(settings)
    with _encode_lock:
        vectors = model.encode_document(
            list(texts), batch_size=BATCH_SIZE, normalize_embeddings=True, show_progress_bar=False
        )
    return np.asarray(vectors, dtype=np.float32)


def encode_with_tokens(texts: Sequence[str], settings: Settings) -> list[Encoded]:
    """The same vectors as `encode_texts`, with the token vectors of the same run."""
    if not texts:
        return []
    if is_packed(settings):
        return load_onnx_model(settings).encode_documents(texts)
    model = load_sentence_model(settings)
    with _encode_lock:
        outputs = model.encode_document(
            list(texts), batch_size=BATCH_SIZE, output_value=None, show_progress_bar=False
        )
    special = model.tokenizer("")["input_ids"]  # the tokens around every text
    return [_encoded(output, special, model.truncate_dim) for output in outputs]


def _encoded(features: dict[str, Any], special: list[int], dimensions: int | None) -> Encoded:
    """The vectors of one text. Its `features` are padded to the longest text of its batch."""
    import torch

    vector = features["sentence_embedding"][:dimensions]
    tokens = features.get("token_embeddings")
    if tokens is None:
        tokens = torch.empty((0, len(vector)))
    else:
        ids = features["input_ids"]
        tokens = tokens[features["attention_mask"].bool() & ~torch.isin(ids, torch.tensor(special))]
    return Encoded(
        vector=torch.nn.functional.normalize(vector, dim=0).numpy(),
        token_signs=signs_of(tokens.numpy()),
    )


def encode_queries(texts: Sequence[str], settings: Settings) -> list[Encoded]:
    """Encode each text as the web process encodes a query."""
    model = load_onnx_model(settings)
    return [model.encode_query(text) for text in texts]


def load_model(settings: Settings) -> None:
    """Load the model of this process early."""
    if is_packed(settings):
        load_onnx_model(settings)
    else:
        load_sentence_model(settings)


def is_packed(settings: Settings) -> bool:
    return locate_model(settings).packed is not None


def load_onnx_model(settings: Settings) -> OnnxModel:
    """The ONNX export of this process. It is made first, if it is missing."""
    folder = export_onnx(settings)
    with _encode_lock:
        return _load_onnx(folder)


@functools.lru_cache(maxsize=1)
def _load_onnx(folder: Path) -> OnnxModel:
    return OnnxModel(folder)
