"""The environment of the processes that serve: the one place where it is put together."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from shared.telemetry import NO_TELEMETRY

# What a person sets wins over these.
DEFAULTS = NO_TELEMETRY | {
    # more than one thread a process is several times slower as soon as the machine is shared
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    # SIGTERM then lets a Celery worker give its jobs back instead of waiting for them
    "REMAP_SIGTERM": "SIGQUIT",
    "PYTHONUNBUFFERED": "1",
}


def process_environment(
    inherited: Mapping[str, str], added: Mapping[str, str], *, may_download: bool
) -> dict[str, str]:
    """`inherited` over the defaults, `added` over both; this Python's programs come first."""
    offline = {} if may_download else {"HF_HUB_OFFLINE": "1"}
    merged = DEFAULTS | offline | dict(inherited) | dict(added)
    programs = str(Path(sys.executable).parent)
    merged["PATH"] = os.pathsep.join([programs, inherited.get("PATH", os.defpath)])
    return merged
