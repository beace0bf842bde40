"""The product's services in this process, on databases of their own, and conversations in them."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from migrations import upgrade
from shared.guard import RECALL_TIMEOUT_S
from shared.models import UserId
from shared.services import Services
from shared.settings import read_settings
from shared.user_data.imports.importer import import_file
from tests.services import running_services


@contextmanager
def open_services(
    database_url: str = "",
    redis_url: str = "",
    *,
    recall_timeout_s: float = RECALL_TIMEOUT_S,
    **overrides: object,
) -> Iterator[Services]:
    """On the services given, or on an embedded Postgres and Valkey that end with this process.

    `overrides` are settings.
    """
    with tempfile.TemporaryDirectory() as data:
        overrides |= {"data_dir": Path(data)}
        if database_url:
            upgrade(database_url)
            overrides |= {"database_url": database_url, "redis_url": redis_url}
            yield from _services(recall_timeout_s, overrides)
            return
        with running_services() as running, running.databases.copy() as url:
            overrides |= {"database_url": url, "redis_url": running.valkey.url}
            yield from _services(recall_timeout_s, overrides)


def _services(recall_timeout_s: float, overrides: Mapping[str, object]) -> Iterator[Services]:
    services = Services(read_settings(**overrides), recall_timeout_s=recall_timeout_s)
    try:
        yield services
    finally:
        services.close()


def import_sessions(
    services: Services, user_id: UserId, sessions: Sequence[Mapping[str, Any]]
) -> None:
    """Import conversations in the import format. Those that are there already are skipped."""
    file = io.BytesIO(json.dumps(list(sessions)).encode())
    done = import_file(services, user_id, file)
    if done.status != "done" or done.tally.failed:
        raise SystemExit(f"{user_id} was not imported: {done}")
