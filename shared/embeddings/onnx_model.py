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
from shared.embeddings.token_signs import signs_of
from shared.embeddings.vocabulary import has_word
from shared.models import ENGLISH_MINILM, Calibration, Encoded
from shared.settings import Settings

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[np.float32]]

GRAPH = "graph.onnx"
TOKENIZER = "tokenizer.json"  # it truncates to the model's limit and adds its special tokens
METADATA = "facts.json"
CENTRES = "centres.npz"
EXPORT_VERSION = 4  # increase it when the export changes; older exports are then ignored
BATCH_SIZE = 32


def exported_folder(settings: Settings) -> Path:
    """The folder of this model's export. It appears only when it is complete."""
    name = re.sub(r"[^\w.@-]", "_", model_name(settings))
    return settings.data_dir.resolve() / "embeddings" / f"{name}.{EXPORT_VERSION}"


class OnnxModel:
    """The constructor loads the model (about a second). Threads may share one instance."""

    def __init__(self, folder: Path) -> None:
        import numpy as np
        import onnxruntime
        from tokenizers import Tokenizer

        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        self._graph = onnxruntime.InferenceSession(
            folder / GRAPH, _single_threaded(), providers=["CPUExecutionProvider"]
        )
        self._input_names = [node.name for node in self._graph.get_inputs()]
        self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        metadata = json.loads((folder / METADATA).read_text())
        self._query_prompt: str = metadata["query_prompt"]
        self._document_prompt: str = metadata["document_prompt"]
        self.calibrations = {
            script: Calibration(**measured)
            for script, measured in metadata.get("calibrations", {}).items()
        }
        centres = folder / CENTRES
        self._centres = dict(np.load(centres)) if centres.is_file() else {}

    def encode_query(self, text: str) -> Encoded:
        # A batch of one, because `encode` keeps the interpreter lock: for 90 ms at 100,000
        # characters all other threads of the process would wait.
        [encoded] = self._encode([text], self._query_prompt, "query")
        return encoded

    def encode_documents(self, texts: Sequence[str]) -> list[Encoded]:
        """In the order of the texts. Texts of about the same length are encoded together."""
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        found: dict[int, Encoded] = {}
        for start in range(0, len(order), BATCH_SIZE):
            batch = order[start : start + BATCH_SIZE]
            encoded = self._encode(
                [texts[index] for index in batch], self._document_prompt, "document"
            )
            found.update(zip(batch, encoded, strict=True))
        return [found[index] for index in range(len(texts))]

    def knows(self, word: str) -> bool:
        """Whether `word`, in lower case, is one token of the vocabulary."""
        return has_word(self._tokenizer, word)

    def run(self, texts: Sequence[str], prompt: str) -> list[tuple[Array, Array]]:
        """For each text its vector and those of its tokens, as the graph gives them.

        Special tokens and those of the prompt are left out.
        """
        import numpy as np

        tokens = self._tokenizer.encode_batch([prompt + text for text in texts])
        longest = max(len(one) for one in tokens)
        known = {
            name: np.zeros((len(texts), longest), np.int64)
            for name in ("input_ids", "attention_mask", "token_type_ids")
        }
        for row, one in enumerate(tokens):
            known["input_ids"][row, : len(one)] = one.ids
            known["attention_mask"][row, : len(one)] = one.attention_mask
            known["token_type_ids"][row, : len(one)] = one.type_ids
        vectors, by_token = self._graph.run(None, {name: known[name] for name in self._input_names})
        return [
            (vector, rows[: len(one)][_is_said(one, len(prompt.rstrip()))])
            for vector, rows, one in zip(vectors, by_token, tokens, strict=True)
        ]

    def run_query(self, text: str) -> tuple[Array, Array]:
        return self.run([text], self._query_prompt)[0]

    def run_document(self, text: str) -> tuple[Array, Array]:
        return self.run([text], self._document_prompt)[0]

    def _encode(self, texts: Sequence[str], prompt: str, side: str) -> list[Encoded]:
        return [
            Encoded(
                vector=self._centred(vector, side),
                token_signs=signs_of(tokens - self._centres.get(f"{side}_tokens", 0)),
                calibration=self.calibrations.get(script_of(text), ENGLISH_MINILM),
            )
            for text, (vector, tokens) in zip(texts, self.run(texts, prompt), strict=True)
        ]

    def _centred(self, vector: Array, side: str) -> Array:
        import numpy as np

        if side not in self._centres:
            return vector
        moved: Array = vector - self._centres[side]
        length: Array = moved / np.linalg.norm(moved)
        return length


def _is_said(tokens: Any, prompt_length: int) -> Any:
    """Which tokens are the text's own: neither special ones nor the prompt's."""
    import numpy as np

    ends = np.array([end for _, end in tokens.offsets])
    special = np.array(tokens.special_tokens_mask) == 1
    return ~special & ((ends > prompt_length) | (prompt_length == 0))


def _single_threaded() -> Any:
    """Session options with one thread: with contended cores, more threads are slower."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return options
