"""A model's ONNX export, and the encoding of one text with it. It needs no torch."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from shared.embeddings.model_properties import model_name
from shared.embeddings.token_signs import signs_of
from shared.embeddings.vocabulary import has_word
from shared.models import Encoded
from shared.settings import Settings

GRAPH = "graph.onnx"
TOKENIZER = "tokenizer.json"  # it truncates to the model's limit and adds its special tokens
METADATA = "facts.json"
EXPORT_VERSION = 2  # increase it when the export changes; older exports are then ignored


def exported_folder(settings: Settings) -> Path:
    """The folder of this model's export. It appears only when it is complete."""
    name = re.sub(r"[^\w.@-]", "_", model_name(settings))
    return settings.data_dir.resolve() / "embeddings" / f"{name}.{EXPORT_VERSION}"


class OnnxModel:
    """The constructor loads the model (about a second). Threads may share one instance."""

    def __init__(self, folder: Path) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        self._graph = onnxruntime.InferenceSession(
            folder / GRAPH, _single_threaded(), providers=["CPUExecutionProvider"]
        )
        self._input_names = [node.name for node in self._graph.get_inputs()]
        self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        self._query_prompt = json.loads((folder / METADATA).read_text())["query_prompt"]

    def encode_query(self, text: str) -> Encoded:
        import numpy as np

        # A batch of one, because `encode` keeps the interpreter lock: for 90 ms at 100,000
        # characters all other threads of the process would wait.
        [tokens] = self._tokenizer.encode_batch([self._query_prompt + text])
        known = {
            "input_ids": tokens.ids,
            "attention_mask": tokens.attention_mask,
            "token_type_ids": tokens.type_ids,
        }
        feed = {name: np.array([known[name]], dtype=np.int64) for name in self._input_names}
        [vector], [token_vectors] = self._graph.run(None, feed)
        said = np.array(tokens.special_tokens_mask) == 0
        return Encoded(vector=vector, token_signs=signs_of(token_vectors[said]))

    def knows(self, word: str) -> bool:
        """Whether `word`, in lower case, is one token of the vocabulary."""
        return has_word(self._tokenizer, word)


def _single_threaded() -> Any:
    """Session options with one thread: with contended cores, more threads are slower."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return options
