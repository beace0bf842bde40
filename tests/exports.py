"""One export of the built-in embedding model for all tests of a run: it takes seconds to make."""

from __future__ import annotations

import functools
from contextlib import suppress
from pathlib import Path

from shared.embeddings.export import export_onnx
from shared.settings import read_settings

#: Of the run; both of its processes use it. None: there is no run, but a bench.
base: Path | None = None


def share_export(data_dir: Path) -> None:
    """Let this data folder have the run's export. Tests of exports do without."""
    if base is None:
        return
    export = _make_export(base)
    own = data_dir / "embeddings"
    own.mkdir(exist_ok=True)
    with suppress(FileExistsError):
        (own / export.name).symlink_to(export, target_is_directory=True)


@functools.cache
def _make_export(folder: Path) -> Path:
    return export_onnx(read_settings(data_dir=folder))
