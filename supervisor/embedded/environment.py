"""The environment that embedded services run in."""

from __future__ import annotations

import os


def service_environment() -> dict[str, str]:
    """Nothing of the caller's: a PGDATA, or a locale that is not installed, would do harm."""
    return {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}
