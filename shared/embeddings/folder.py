"""How a sentence-transformers folder is laid out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def is_model_folder(folder: Path) -> bool:
    return (folder / "modules.json").is_file()


def list_module_folders(folder: Path) -> list[Path]:
    """In the order in which a text passes them; the first is often the folder itself."""
    modules = json.loads((folder / "modules.json").read_text())
    return [folder / module["path"] for module in modules]


def list_weights(folder: Path) -> list[Path]:
    """One copy of the weights, the safe form where there are several."""
    folders = sorted({folder, *list_module_folders(folder)})
    safe = [path for place in folders for path in sorted(place.glob("*.safetensors"))]
    return safe or [path for place in folders for path in sorted(place.glob("*.bin"))]


def read_config(folder: Path, name: str = "config.json") -> dict[str, Any]:
    """Empty when there is no such file: modules without settings have none."""
    path = folder / name
    return dict(json.loads(path.read_text())) if path.is_file() else {}
