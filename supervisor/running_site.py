"""The embedded services and the model of a site that runs on this machine, for commands."""

from __future__ import annotations

import fcntl
import os
import re
from pathlib import Path

from shared.settings import Settings
from supervisor.embedded.postgres import Postgres
from supervisor.launch_plan import make_services
from supervisor.local_model.model_file import PREFIX
from supervisor.local_model.program import read_variables


def find_urls(settings: Settings) -> dict[str, str]:
    """Variables of the environment that name them, and the page's port.

    Empty when no site runs there.
    """
    data_dir = settings.data_dir.resolve()
    if not _is_locked(data_dir / "supervisor.lock"):
        return {}
    variables = _read_port(data_dir / "supervisor.lock")
    for service in make_services(settings, data_dir):
        if isinstance(service, Postgres):
            variables |= {"DATABASE_URL": service.app_url, "MIGRATION_DATABASE_URL": service.url}
        else:
            variables["REDIS_URL"] = service.url
    if settings.llm_model.startswith(PREFIX):
        variables |= read_variables(data_dir)
    return variables


def _read_port(lock: Path) -> dict[str, str]:
    """The port of the address that the supervisor has written. 0 is one that was not chosen yet."""
    port = re.search(r":([1-9]\d*)$", lock.read_text())
    return {"PORT": port[1]} if port else {}


def _is_locked(path: Path) -> bool:
    """Whether a supervisor holds the lock, and so runs."""
    try:
        descriptor = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False
