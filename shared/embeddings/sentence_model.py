"""Loads a model from its sentence-transformers folder, on torch."""

from __future__ import annotations

import functools
import os
import threading
from typing import Any

from shared.embeddings.model_files import ModelFiles, locate_model
from shared.embeddings.model_properties import check_weights
from shared.settings import Settings

# With contended cores, two threads in each of several processes are far slower than one.
THREADS = 1

_load_lock = threading.Lock()


def load_sentence_model(settings: Settings) -> Any:
    """The `SentenceTransformer` of this process. Call it at the start to load it early."""
    files = locate_model(settings)
    with _load_lock:
        return _load(files, settings.embedding_download)


@functools.lru_cache(maxsize=1)
def _load(files: ModelFiles, download: bool) -> Any:
    check_weights(files)
    _prepare_environment(download=download)
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging as transformers_logging

    torch.set_num_threads(THREADS)
    transformers_logging.disable_progress_bar()
    # float32 even if the file has half precision, which is slow on a CPU. The ONNX export must
    # also give the same numbers.
    return SentenceTransformer(
        str(files.folder),
        device="cpu",
        local_files_only=True,
        model_kwargs={"dtype": torch.float32},
    )


def _prepare_environment(*, download: bool) -> None:
    """Set variables that the libraries read when they are first imported."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    if not download:
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
