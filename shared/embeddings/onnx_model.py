"""A model's ONNX form on disk, and how one text goes through it. No torch here."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from shared.embeddings.identity import model_name
from shared.embeddings.token_signs import signs_of
from shared.embeddings.vocabulary import has_word
from shared.models import Encoded
from shared.settings import Settings

GRAPH = "graph.onnx"
TOKENIZER = "tokenizer.json"  # cuts at the model's longest sequence, adds its special tokens
FACTS = "facts.json"
FORM = 2  # raise it when the export changes: older exports are then left aside


def exported_folder(settings: Settings) -> Path:
    """Where this model's ONNX form lives; it appears there whole or not at all."""
    name = re.sub(r"[^\w.@-]", "_", model_name(settings))
    return settings.data_dir.resolve() / "embeddings" / f"{name}.{FORM}"


class OnnxModel:
    """Loaded at once when made (about a second); safe to share between threads."""

    def __init__(self, folder: Path) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        self._graph = onnxruntime.InferenceSession(
            folder / GRAPH, _run_alone(), providers=["CPUExecutionProvider"]
        )
        self._input_names = [node.name for node in self._graph.get_inputs()]
        self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        self._query_prompt = json.loads((folder / FACTS).read_text())["query_prompt"]

    def encode_query(self, text: str) -> Encoded:
        import numpy as np

        # As a batch of one: the single form keeps the interpreter lock, for 90 ms at 100,000
        # characters, and with it every other thread of the process.
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
        return has_word(self._tokenizer, word)


def _run_alone() -> Any:
    """One thread a text: on contended cores more threads make each text slower."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return options
