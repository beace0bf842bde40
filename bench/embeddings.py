"""The cost of embeddings: `python -m bench.embeddings` (about four minutes, one core).

- A query: the encoder of the web process beside onnxruntime alone, on the same tokens.
- Texts in bulk: the worker's function, with what it reads from Postgres and writes there, beside
  sentence-transformers at the best of several batch sizes, on the same weights and texts.
- Memory of a process that has encoded the longest text, with each of both.

Times are CPU of this process, medians of calls in turns, so that other load falls on both.
"""

from __future__ import annotations

import functools
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.embeddings_peer import open_peer, write_peer
from bench.memory import measure as measure_memory
from bench.recall_site import import_sessions, open_services
from bench.report import Figure, publish
from migrations import upgrade
from shared.derivations.embedding import BATCH, embed_batch
from shared.embeddings import QueryEncoder, encode_with_tokens
from shared.embeddings.export import export_onnx
from shared.embeddings.onnx_model import GRAPH, METADATA, load_tokenizer, single_threaded
from shared.models import UserId
from shared.settings import Settings, read_settings

SHORT = "What did we decide about the budget for the trip to Lisbon?"
QUERIES = {"short": SHORT, "of 60 tokens": f"{SHORT} " * 4, "of 510 tokens": f"{SHORT} " * 36}
QUERY_TURNS = 20
BULK_TURNS = 5
BATCH_SIZES = (1, 4, 8, 32)
USER = UserId("bulk")
ONNX, PEER = "onnx", "sentence-transformers"

Call = Callable[[], object]


def main() -> None:
    if len(sys.argv) > 1:
        print(json.dumps(measure_loaded(*sys.argv[1:])))
        return
    settings = read_settings()
    export_onnx(settings)
    with tempfile.TemporaryDirectory() as folder:
        write_peer(settings, Path(folder))
        figures = [*measure_queries(settings), measure_bulk(Path(folder))]
        ours, peer = _in_process(ONNX), _in_process(PEER, folder)
        for name, unit in (("memory", "MB"), ("load", "s")):
            figures.append(
                Figure(
                    name=f"{name}, the longest text encoded" if unit == "MB" else name,
                    value=ours[name],
                    unit=unit,
                    beside=PEER,
                    beside_value=peer[name],
                )
            )
    publish("embeddings", figures)


def measure_queries(settings: Settings) -> Iterator[Figure]:
    encoder = QueryEncoder(settings)
    encoder.start()
    while not encoder.ready:
        time.sleep(0.01)
    for name, text in QUERIES.items():
        bare = _bare_graph(settings, text)
        ours = functools.partial(encoder.encode, text, timeout_s=60)
        mine, floor = in_turns([ours, bare], QUERY_TURNS)
        yield Figure(
            name=f"a query, {name}",
            value=1000 * mine,
            unit="ms",
            beside="onnxruntime on the same tokens",
            beside_value=1000 * floor,
        )
    encoder.stop()


def measure_bulk(peer_folder: Path) -> Figure:
    """Texts a second, of 15 to 75 tokens."""
    texts = make_texts()
    peer = open_peer(peer_folder)
    with open_services("", "") as services:
        upgrade(services.settings.database_url)
        encode_with_tokens(texts[:1], services.settings)  # loads the model

        def refill() -> None:
            roles = ("user", "assistant") * (BATCH // 2)
            messages = [
                {"role": role, "content": text}
                for role, text in zip(roles, make_texts(), strict=True)
            ]
            import_sessions(services, USER, [{"messages": messages}])

        calls: list[Call] = [lambda: embed_batch(services)]
        calls += [functools.partial(peer, texts, size) for size in BATCH_SIZES]
        ours, *theirs = in_turns(calls, BULK_TURNS, before=refill)
    return Figure(
        name="texts in bulk, with Postgres",
        value=len(texts) / ours,
        unit="1/s",
        beside=f"{PEER}, batches of {BATCH_SIZES[theirs.index(min(theirs))]}",
        beside_value=len(texts) / min(theirs),
    )


def make_texts() -> list[str]:
    """A batch. No two have the same texts: what is there already is not imported."""
    return [f"{time.time_ns()}: " + f"{SHORT} " * (1 + number % 4) for number in range(BATCH)]


def in_turns(calls: Sequence[Call], turns: int, before: Call | None = None) -> list[float]:
    """The median CPU seconds of each call. `before` runs before each turn and is not counted."""
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(turns + 1):
        if before:
            before()
        for call, series in zip(calls, times, strict=True):
            begun = time.process_time()
            call()
            series.append(time.process_time() - begun)
    return [statistics.median(series[1:]) for series in times]  # the first call is the slowest


def measure_loaded(way: str, folder: str = "") -> dict[str, float]:
    """Of this process: MB that it holds alone, and CPU seconds until the model is loaded."""
    import os

    longest = QUERIES["of 510 tokens"]
    begun = time.process_time()
    if way == ONNX:
        encode_with_tokens([SHORT], read_settings())
        loaded = time.process_time() - begun
        encode_with_tokens([longest], read_settings())
    else:
        peer = open_peer(Path(folder))
        loaded = time.process_time() - begun
        peer([longest], 1)
    return {"memory": measure_memory(os.getpid()).resident_mb, "load": loaded}


def _in_process(*args: str) -> dict[str, float]:
    command = [sys.executable, "-m", "bench.embeddings", *args]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return dict(json.loads(done.stdout))


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
