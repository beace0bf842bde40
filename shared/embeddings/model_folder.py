"""Read the layout of a sentence-transformers folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def is_model_folder(folder: Path) -> bool:
    return (folder / "modules.json").is_file()


def list_module_folders(folder: Path) -> list[Path]:
    """The folders of the modules, in the order of the pipeline; the first is often `folder`."""
    modules = json.loads((folder / "modules.json").read_text())
    return [folder / module["path"] for module in modules]


def list_weights(folder: Path) -> list[Path]:
    """The files of one copy of the weights: the safetensors, where there are any."""
    folders = sorted({folder, *list_module_folders(folder)})
    safe = [path for root in folders for path in sorted(root.glob("*.safetensors"))]
    return safe or [path for root in folders for path in sorted(root.glob("*.bin"))]


def read_config(folder: Path, name: str = "config.json") -> dict[str, Any]:
    """The file's content; empty without the file, as in modules without settings."""
    path = folder / name
    return dict(json.loads(path.read_text())) if path.is_file() else {}
