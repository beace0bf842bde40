"""The switches are set before any library of ours is imported, however a process begins."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from shared.telemetry import NO_TELEMETRY
from supervisor.environment import DEFAULTS

BEGINNINGS = (
    "web.app",
    "workers.app",
    "shared.embeddings.onnx_model",
    "shared.maintenance.verify",
    "throughline.site",
)


@pytest.mark.parametrize("module", BEGINNINGS)
def test_whoever_imports_our_code_has_the_switches_set(module: str) -> None:
    code = f"import os, {module}; print(*(os.environ[name] for name in {list(NO_TELEMETRY)}))"
    bare = {name: value for name, value in os.environ.items() if name not in NO_TELEMETRY}
    done = subprocess.run(
        [sys.executable, "-c", code], env=bare, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == list(NO_TELEMETRY.values())


def test_the_supervisor_gives_them_to_every_process() -> None:
    assert DEFAULTS.items() >= NO_TELEMETRY.items()
