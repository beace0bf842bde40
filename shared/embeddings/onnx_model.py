"""A model's ONNX export, and the encoding of texts with it. It needs no torch."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shared.embeddings.calibration.scripts import script_of
from shared.embeddings.model_properties import model_name
from shared.embeddings.packed.unigram_tokenizer import PieceTokenizer
from shared.embeddings.token_signs import signs_of
from shared.embeddings.tokenizer import ExportedTokenizer, Tokenizer
from shared.models import ENGLISH_MINILM, Calibration, Encoded
from shared.settings import Settings

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[np.float32]]

GRAPH = "graph.onnx"
TOKENIZER = "tokenizer.json"  # it truncates to the model's limit and adds its special tokens
PIECES = "pieces.model"  # instead of it: the packed model's vocabulary
METADATA = "facts.json"
CENTRES = "centres.npz"
EXPORT_VERSION = 6  # increase it when the export changes; older exports are then ignored


def exported_folder(settings: Settings) -> Path:
    """The folder of this model's export. It appears only when it is complete."""
    name = re.sub(r"[^\w.@-]", "_", model_name(settings))
    return (settings.data_dir / "embeddings" / f"{name}.{EXPORT_VERSION}").resolve()


class OnnxModel:
    """A loaded model. Loading takes about a second. Threads may share one."""

    def __init__(self, folder: Path) -> None:
        import numpy as np
        import onnxruntime

        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        self._graph = onnxruntime.InferenceSession(
            folder / GRAPH, single_threaded(), providers=["CPUExecutionProvider"]
        )
        self._input_names = [node.name for node in self._graph.get_inputs()]
        metadata = json.loads((folder / METADATA).read_text())
        self._tokenizer = load_tokenizer(folder, metadata.get("max_tokens", 0))
        self._query_prompt: str = metadata["query_prompt"]
        self._document_prompt: str = metadata["document_prompt"]
        self.calibrations = {
            script: Calibration(**measured)
            for script, measured in metadata.get("calibrations", {}).items()
        }
        centres = folder / CENTRES
        self._centres = dict(np.load(centres)) if centres.is_file() else {}

    def encode_query(self, text: str) -> Encoded:
        return self._encoded(text, self.run_query(text), "query")

    def encode_documents(self, texts: Sequence[str]) -> list[Encoded]:
        """Encode texts one after the other. Padded batches take longer on a CPU."""
        return [self._encoded(text, self.run_document(text), "document") for text in texts]

    def knows(self, word: str) -> bool:
        """Whether `word`, in lower case, is one token of the vocabulary."""
        return self._tokenizer.knows(word)

    def run_query(self, text: str) -> tuple[Array, Array]:
        """The text's vector and those of its own tokens, as the graph gives them."""
        return self._run(self._query_prompt, text)

    def run_document(self, text: str) -> tuple[Array, Array]:
        return self._run(self._document_prompt, text)

    def _run(self, prompt: str, text: str) -> tuple[Array, Array]:
        import numpy as np

        tokens = self._tokenizer.encode(prompt, text)
        ids = np.array([tokens.ids], np.int64)
        known = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        inputs = {name: known[name] for name in self._input_names}
        [vector], [by_token] = self._graph.run(None, inputs)
        return vector, by_token[tokens.is_own]

    def _encoded(self, text: str, vectors: tuple[Array, Array], side: str) -> Encoded:
        vector, tokens = vectors
        return Encoded(
            vector=self._centred(vector, side),
            token_signs=signs_of(tokens - self._centres.get(f"{side}_tokens", 0)),
            calibration=self.calibrations.get(script_of(text), ENGLISH_MINILM),
        )

    def _centred(self, vector: Array, side: str) -> Array:
        import numpy as np

        if side not in self._centres:
            return vector
        moved: Array = vector - self._centres[side]
        length: Array = moved / np.linalg.norm(moved)
        return length


def load_tokenizer(folder: Path, max_tokens: int) -> Tokenizer:
    pieces = folder / PIECES
    if pieces.is_file():
        return PieceTokenizer(pieces, max_tokens)
    return ExportedTokenizer(folder / TOKENIZER)


def single_threaded() -> Any:
    """Session options with one thread: with contended cores, more threads are slower."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return options
