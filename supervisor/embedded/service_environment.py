"""The environment of the embedded services."""

from __future__ import annotations

import os


def service_environment() -> dict[str, str]:
    """Nothing is inherited: a PGDATA, or a locale that is not installed, would break them."""
    return {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}
