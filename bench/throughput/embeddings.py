"""The cost of embeddings: `python -m bench.throughput.embeddings` (a minute, one core).

- A query: the encoder of the web process beside onnxruntime alone, on the same tokens.
- Memory of a process that has encoded the longest text, and the time until it could.

Times are CPU of this process, medians of calls in turns, so that other load falls on both. Texts in
bulk are measured by `bench.throughput.imports`.
"""

from __future__ import annotations

import functools
import json
import multiprocessing
import os
import time
from collections.abc import Iterator
from typing import Any

from bench.harness.processes import measure_memory
from bench.harness.report import Figure, publish
from bench.harness.turns import Call, take_turns
from shared.embeddings.bulk_encoder import encode_with_tokens
from shared.embeddings.export import export_onnx
from shared.embeddings.onnx_model import GRAPH, METADATA, load_tokenizer, single_threaded
from shared.embeddings.query_encoder import QueryEncoder
from shared.settings import Settings, read_settings

SHORT = "What did we decide about the budget for the trip to Lisbon?"
QUERIES = {"short": SHORT, "of 60 tokens": f"{SHORT} " * 4, "of 510 tokens": f"{SHORT} " * 36}
QUERY_TURNS = 20


def main() -> None:
    settings = read_settings()
    export_onnx(settings)
    figures = list(measure_queries(settings))
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        figures += pool.apply(measure_loaded)
    publish("embeddings", figures)


def measure_queries(settings: Settings) -> Iterator[Figure]:
    encoder = QueryEncoder(settings)
    encoder.start()
    while not encoder.ready:
        time.sleep(0.01)
    for name, text in QUERIES.items():
        ours = functools.partial(encoder.encode, text, timeout_s=60)
        spent = take_turns({"ours": ours, "bare": _bare_graph(settings, text)}, QUERY_TURNS)
        yield Figure(
            name=f"a query, {name}",
            value=spent["ours"].cpu_ms,
            unit="ms",
            beside="onnxruntime on the same tokens",
            beside_value=spent["bare"].cpu_ms,
        )
    encoder.stop()


def measure_loaded() -> list[Figure]:
    """CPU seconds of this process until the model is loaded, and the MB that it takes alone."""
    began = time.process_time()
    encode_with_tokens([SHORT], read_settings())
    loaded_s = time.process_time() - began
    encode_with_tokens([QUERIES["of 510 tokens"]], read_settings())
    resident_mb = measure_memory(os.getpid()).resident_mb
    return [
        Figure(name="memory, the longest text encoded", value=resident_mb, unit="MB"),
        Figure(name="load", value=loaded_s, unit="s"),
    ]


def _bare_graph(settings: Settings, text: str) -> Call:
    """The ONNX graph alone, on a text that is tokenized."""
    import numpy as np
    import onnxruntime

    folder = export_onnx(settings)
    graph = onnxruntime.InferenceSession(folder / GRAPH, single_threaded())
    metadata: dict[str, Any] = json.loads((folder / METADATA).read_text())
    tokenizer = load_tokenizer(folder, metadata.get("max_tokens", 0))
    ids = np.array([tokenizer.encode(metadata["query_prompt"], text).ids], np.int64)
    inputs = {node.name: np.zeros_like(ids) for node in graph.get_inputs()}
    inputs |= {"input_ids": ids, "attention_mask": np.ones_like(ids)}
    return functools.partial(graph.run, None, inputs)


if __name__ == "__main__":
    main()
