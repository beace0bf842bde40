from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from shared.embeddings.export import export_onnx
from shared.embeddings.model_properties import check_model
from shared.embeddings.onnx_model import OnnxModel, exported_folder
from shared.errors import PermanentError
from shared.settings import Settings, SettingsError
from tests.integration.embeddings.conftest import BuildModel


def start_export(settings: Settings) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "shared.embeddings.export"],
        env=os.environ
        | {"DATA_DIR": str(settings.data_dir), "EMBEDDING_MODEL": settings.embedding_model},
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_second_export_leaves_the_first_untouched(tiny_settings: Settings) -> None:
    graph = export_onnx(tiny_settings) / "graph.onnx"
    written_at = graph.stat().st_mtime_ns
    assert export_onnx(tiny_settings) / "graph.onnx" == graph
    assert graph.stat().st_mtime_ns == written_at


def test_two_exports_at_once_leave_one_whole_export(tiny_settings: Settings) -> None:
    exports = [start_export(tiny_settings), start_export(tiny_settings)]
    assert [(process.communicate()[1], process.returncode) for process in exports] == [("", 0)] * 2
    folder = exported_folder(tiny_settings)
    assert OnnxModel(folder).encode_query("whole").vector.shape == (384,)
    assert sorted(path.name for path in folder.parent.iterdir()) == [".lock", folder.name]


def test_what_a_killed_export_left_behind_is_cleared(tiny_settings: Settings) -> None:
    folder = exported_folder(tiny_settings)
    partial = folder.with_name(folder.name + ".partial")
    partial.mkdir(parents=True)
    (partial / "graph.onnx").write_bytes(b"half a graph")
    assert OnnxModel(export_onnx(tiny_settings)).encode_query("whole").vector.shape == (384,)
    assert not partial.exists()


def test_a_model_that_cannot_be_carried_over_is_refused_and_leaves_nothing(
    tmp_path: Path, build_model: BuildModel
) -> None:
    # Leaving the prompt out of the pooling is not in the graph, so the vectors differ.
    folder = build_model(tmp_path / "m" / "odd", query_prompt="find me ", include_prompt=False)
    settings = Settings(embedding_model=str(folder), data_dir=tmp_path / "data")
    with pytest.raises(PermanentError, match=r"odd@\w+ has no ONNX form: its vectors differ"):
        export_onnx(settings)
    assert [path.name for path in (tmp_path / "data" / "embeddings").iterdir()] == [".lock"]


def test_the_export_of_a_model_that_is_not_there_says_so_in_one_line(tmp_path: Path) -> None:
    settings = Settings(embedding_model=str(tmp_path / "nowhere"), data_dir=tmp_path)
    process = start_export(settings)
    assert process.communicate()[1] == f"EMBEDDING_MODEL={tmp_path}/nowhere is not a folder.\n"
    assert process.returncode == 1


def test_a_real_model_of_another_dimension_is_refused(
    tmp_path: Path, build_model: BuildModel
) -> None:
    folder = build_model(tmp_path / "m" / "narrow", width=64)
    with pytest.raises(SettingsError, match="vectors of 64 numbers"):
        check_model(Settings(embedding_model=str(folder)))
