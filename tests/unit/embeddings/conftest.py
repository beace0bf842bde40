"""Model folders with only the files that are read to find and name a model."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

WriteModel = Callable[..., Path]


@pytest.fixture
def write_model() -> WriteModel:
    """A function that writes a model folder with one pooling, and optional further modules."""

    def write(
        folder: Path,
        weights: bytes = b"weights",
        pooling: dict[str, Any] | None = None,
        **further: dict[str, Any],
    ) -> Path:
        configs = {"1_Pooling": pooling or {"word_embedding_dimension": 384}, **further}
        folder.mkdir(parents=True)
        (folder / "model.safetensors").write_bytes(weights)
        modules = [{"path": ""}, *({"path": name} for name in configs)]
        (folder / "modules.json").write_text(json.dumps(modules))
        for name, config in configs.items():
            (folder / name).mkdir()
            (folder / name / "config.json").write_text(json.dumps(config))
        return folder

    return write
