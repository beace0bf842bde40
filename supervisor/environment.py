"""The environment of the Procfile's processes."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from shared.telemetry import NO_TELEMETRY

# Variables that are set already take precedence.
DEFAULTS = NO_TELEMETRY | {
    # on a busy machine, several threads in each process are several times slower than one
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    # glibc otherwise keeps what threads have freed, in up to eight arenas for each core
    "MALLOC_ARENA_MAX": "2",
    # on SIGTERM, Celery then returns its jobs to the queue instead of finishing them
    "REMAP_SIGTERM": "SIGQUIT",
    "PYTHONUNBUFFERED": "1",
}


def process_environment(
    inherited: Mapping[str, str], added: Mapping[str, str], *, may_download: bool
) -> dict[str, str]:
    """The defaults, overridden by `inherited`, then by `added`. This Python is first in PATH."""
    offline = {} if may_download else {"HF_HUB_OFFLINE": "1"}
    merged = DEFAULTS | offline | dict(inherited) | dict(added)
    programs = str(Path(sys.executable).parent)
    merged["PATH"] = os.pathsep.join([programs, inherited.get("PATH", os.defpath)])
    return merged
