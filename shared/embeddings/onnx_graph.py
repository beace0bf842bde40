"""Write a loaded `SentenceTransformer` as an ONNX graph. It imports torch only when called."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

OPSET = 17
OUTPUT = "embedding"
TOKENS = "token_embeddings"
# Two texts of different lengths, so that the tracer sees both axes vary, and padding.
EXAMPLES = ["short", "a text of several more words than the other"]


def write_graph(model: Any, path: Path) -> None:
    """Write the graph to `path`.

    Its inputs are token ids and attention mask, (texts, tokens). Its outputs are unit vectors,
    (texts, dimension), and the vectors of all tokens, (texts, tokens, dimension).
    """
    import torch

    features = {
        name: value
        for name, value in model.preprocess(EXAMPLES).items()
        if isinstance(value, torch.Tensor)
    }
    names = list(features)
    # The tracer warns of possible errors. The export is compared with the model afterwards.
    with torch.no_grad(), warnings.catch_warnings(action="ignore"):
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
    """One torch module around the whole pipeline: from tensors to the result of `encode`."""
    import torch

    class Sentence(torch.nn.Module):  # type: ignore[misc]  # torch is not type-checked here
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *tensors: Any) -> Any:
            outputs = self.model(dict(zip(names, tensors, strict=True)))
            vectors = outputs["sentence_embedding"][:, : model.truncate_dim]
            return torch.nn.functional.normalize(vectors, p=2, dim=1), outputs["token_embeddings"]

    return Sentence().eval()
