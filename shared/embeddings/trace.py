"""From a loaded `SentenceTransformer` to an ONNX graph. Imports torch when called, not before."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

OPSET = 17
OUTPUT = "embedding"
TOKENS = "token_embeddings"
# Two texts of unlike length, so that both axes are seen to vary and padding is traced.
EXAMPLES = ["short", "a text of several more words than the other"]


def write_graph(model: Any, path: Path) -> None:
    """Write the graph: token ids and mask (texts, tokens) in, unit vectors (texts, dim) out,
    and the vectors of all tokens (texts, tokens, size)."""
    import torch

    features = {
        name: value
        for name, value in model.preprocess(EXAMPLES).items()
        if isinstance(value, torch.Tensor)
    }
    names = list(features)
    with torch.no_grad(), _quiet():
        torch.onnx.export(
            _as_function(model, names),
            tuple(features.values()),
            str(path),
            input_names=names,
            output_names=[OUTPUT, TOKENS],
            dynamic_axes={name: {0: "texts", 1: "tokens"} for name in (*names, TOKENS)},
            opset_version=OPSET,
            dynamo=False,  # the newer exporter needs onnxscript, which is not installed
        )


def _as_function(model: Any, names: list[str]) -> Any:
    """All of the model's modules in one, from plain tensors to what `encode` would return."""
    import torch

    class Sentence(torch.nn.Module):  # type: ignore[misc]  # torch is not type-checked here
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *tensors: Any) -> Any:
            found = self.model(dict(zip(names, tensors, strict=True)))
            vectors = found["sentence_embedding"][:, : model.truncate_dim]
            return torch.nn.functional.normalize(vectors, p=2, dim=1), found["token_embeddings"]

    return Sentence().eval()


def _quiet() -> warnings.catch_warnings[None]:
    """The tracer warns of what might be wrong; the export is compared with the model instead."""
    return warnings.catch_warnings(action="ignore")
