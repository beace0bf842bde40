"""The cost of an embedding: `python -m bench.embeddings` (about a minute, one core).

Prints milliseconds for a text or a batch, MB of memory and load time, for ONNX and for torch. Each
runs in a process of its own. Times are the best of several. Beside each is its ratio to the bare
library call of the same run; compare the ratios between machines, not the times.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from shared.embeddings import QueryEncoder, encode_texts
from shared.embeddings.bulk_encoder import load_sentence_model
from shared.embeddings.onnx_model import GRAPH, TOKENIZER, OnnxModel, exported_folder
from shared.settings import Settings, read_settings

SHORT = "What did we decide about the budget for the trip to Lisbon?"
BATCH = [f"{number}: {SHORT} {SHORT} {SHORT}" for number in range(32)]  # some 45 tokens each
MANY, FEW = 50, 5
WAYS = ("onnx", "torch")

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
    feeds = [_as_feed(tokenizer.encode(text)) for text in texts]
    return lambda: [graph.run(None, feed) for feed in feeds]


def _as_feed(tokens: Any) -> dict[str, Any]:
    import numpy as np

    rows = {
        "input_ids": tokens.ids,
        "token_type_ids": tokens.type_ids,
        "attention_mask": tokens.attention_mask,
    }
    return {name: np.array([row], dtype=np.int64) for name, row in rows.items()}


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


def _run(way: str) -> Found:
    done = subprocess.run(
        [sys.executable, "-m", "bench.embeddings", way], capture_output=True, text=True, check=True
    )
    return dict(json.loads(done.stdout))


def _report(way: str, found: Found) -> None:
    print(f"{way}: loads in {found['load_s']:.1f} s, {found['mb']:.0f} MB at its most")
    for what in ("one short text", "32 longer texts"):
        ours, bare = found[what]
        print(f"  {what:15} {ours:7.1f} ms, {ours / bare:.2f} x the bare call")


def main() -> None:
    settings = read_settings()
    if sys.argv[1:]:
        measure = {"onnx": measure_onnx, "torch": measure_torch}[sys.argv[1]]
        print(json.dumps(measure(settings)))
        return
    begun = time.perf_counter()
    # Not in this process: a child's memory peak starts at its parent's size.
    subprocess.run([sys.executable, "-m", "shared.embeddings.export"], check=True)
    size = (exported_folder(settings) / GRAPH).stat().st_size
    print(f"export: {time.perf_counter() - begun:.1f} s, {size:,} bytes")
    for way in WAYS:
        _report(way, _run(way))


if __name__ == "__main__":
    main()
