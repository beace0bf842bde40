"""Write a model's ONNX form, once per data folder: `python -m shared.embeddings.export`.

Works for sentence-transformers folders on a BERT-like encoder (token ids in, one vector out),
with any pooling, dense layers and query prompt. What was written is compared with the model
itself before it is put in place, so a model that cannot be carried over is refused.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from shared.embeddings.bulk import load_sentence_model
from shared.embeddings.identity import dimension, model_name
from shared.embeddings.onnx_model import FACTS, GRAPH, TOKENIZER, OnnxModel, exported_folder
from shared.errors import PermanentError, ThroughlineError
from shared.settings import Settings, read_settings

PROBES = ("", "Where did I leave my keys?", "数据库 🎉 naïve שלום", "one more word " * 400)
LARGEST_DIFFERENCE = 1e-4  # in any number of a vector of length 1
NICENESS = 10  # the site answers without it meanwhile


def export_onnx(settings: Settings) -> Path:
    """Make sure that the ONNX form is there; returns its folder. Some 15 s the first time.

    Any number of processes may call it at once: one writes, the others wait for it.
    Raises `PermanentError` when the model has no ONNX form.
    """
    folder = exported_folder(settings)
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _alone(folder.parent / ".lock"):
        if not folder.is_dir():
            _write_whole(folder, settings)
    return folder


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """The system frees the lock of a process that dies."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _write_whole(folder: Path, settings: Settings) -> None:
    """Write beside, check, then rename. What a killed export left behind is cleared first."""
    partial = folder.with_name(folder.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    model = load_sentence_model(settings)
    try:
        _write_files(model, partial, settings)
        _compare(model, OnnxModel(partial))
    except Exception as exc:  # the tracer raises errors of every kind
        shutil.rmtree(partial, ignore_errors=True)
        raise PermanentError(f"{model_name(settings)} has no ONNX form: {exc}") from exc
    _flush_to_disk(partial)
    partial.rename(folder)


def _write_files(model: Any, folder: Path, settings: Settings) -> None:
    from shared.embeddings.trace import write_graph

    write_graph(model, folder / GRAPH)
    _write_tokenizer(model, folder / TOKENIZER)
    facts = {
        "model": model_name(settings),
        "dimension": dimension(settings),
        "query_prompt": model.prompts.get("query") or "",
    }
    (folder / FACTS).write_text(json.dumps(facts))


def _write_tokenizer(model: Any, path: Path) -> None:
    """The loaded model's, not the folder's file: lower-casing and length are settled there."""
    from tokenizers import Tokenizer

    source = model.tokenizer
    tokenizer = Tokenizer.from_str(source.backend_tokenizer.to_str())
    tokenizer.no_padding()
    if source.model_max_length <= sys.maxsize:  # a model without a limit has 1e30 here
        tokenizer.enable_truncation(source.model_max_length, direction=source.truncation_side)
    tokenizer.save(str(path))


def _compare(model: Any, exported: OnnxModel) -> None:
    expected = model.encode_query(list(PROBES), normalize_embeddings=True, show_progress_bar=False)
    for probe, vector in zip(PROBES, expected, strict=True):
        difference = float(abs(exported.encode_query(probe).vector - vector).max())
        # Written so that a NaN is refused too.
        if not difference <= LARGEST_DIFFERENCE:
            raise PermanentError(f"its vectors differ from the model's by {difference:.1e}")


def _flush_to_disk(folder: Path) -> None:
    """Else a power cut after the rename could leave a folder of empty files."""
    for path in (*folder.iterdir(), folder):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def main() -> None:
    os.nice(NICENESS)
    try:
        export_onnx(read_settings())
    except ThroughlineError as exc:
        raise SystemExit(exc.message) from exc


if __name__ == "__main__":
    main()
