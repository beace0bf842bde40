"""The metrics that Prometheus scrapes: of one process, or of several that serve together.

prometheus_client counts in memory. With several processes, each counts in files of one folder, and
any of them can add up all files. A metric chooses memory or files when it is created.
"""

from __future__ import annotations

import atexit
import fcntl
import logging
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from prometheus_client import REGISTRY, CollectorRegistry, values
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
#: The files are mapped into memory: on a full disk the kernel would kill who counts in them.
MEMORY = Path("/dev/shm")  # noqa: S108 - a new folder of a random name
LINK = "files"  # in the folder of DATA_DIR: where they are

logger = logging.getLogger(__name__)


def share_counters(data_dir: Path) -> None:
    """Share the counters with the processes that this one will fork.

    Call it before `shared.metrics.counters` is imported. The folder lies in `data_dir` and is
    removed when this process ends. Folders that killed processes have left are removed now.
    Without room for it, each process counts for itself.
    """
    if FOLDER_VARIABLE in os.environ:
        return
    parent = data_dir.resolve() / "metrics"
    try:
        parent.mkdir(parents=True, exist_ok=True)
        with _locked(parent):
            _make_folder(parent)
    except OSError as exc:
        logger.error("metrics.not_shared", extra={"error": exc.strerror})  # noqa: TRY400


def _make_folder(parent: Path) -> None:
    for path in parent.iterdir():
        _remove_if_abandoned(path)
    folder = Path(tempfile.mkdtemp(dir=parent))
    files = folder
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK):
        files = Path(tempfile.mkdtemp(prefix="throughline-metrics-", dir=MEMORY))
        (folder / LINK).symlink_to(files)
    os.environ[FOLDER_VARIABLE] = str(files)
    values.ValueClass = values.MultiProcessValue()  # type: ignore[no-untyped-call]
    fcntl.flock(os.open(folder, os.O_RDONLY), fcntl.LOCK_EX)  # until all processes have ended
    atexit.register(_remove_by_owner, folder, os.getpid())


def find_counters() -> CollectorRegistry:
    """The metrics of all processes that share counters, or of this process alone."""
    folder = os.environ.get(FOLDER_VARIABLE)
    if folder is None:
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
    return registry


def forget_gauges(pid: int) -> None:
    """Drop the gauges of a process that has ended. Its counters stay in the sums."""
    if FOLDER_VARIABLE in os.environ:
        mark_process_dead(pid)  # type: ignore[no-untyped-call]


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Lock the folder against processes that start at the same time."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _remove_if_abandoned(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return  # its processes still run
    else:
        _remove(folder)
    finally:
        os.close(descriptor)


def _remove_by_owner(folder: Path, owner: int) -> None:
    """Remove nothing in a forked process, which inherits this exit handler."""
    if os.getpid() == owner:
        _remove(folder)


def _remove(folder: Path) -> None:
    link = folder / LINK
    if link.is_symlink():
        shutil.rmtree(link.readlink(), ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)
