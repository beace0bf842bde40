"""What Flower is told beside its command: where it lives, and what it keeps.

Flower reads its options from the environment.
"""

from __future__ import annotations

import os
from pathlib import Path

from shared.settings.reading import Settings

SAVE_EVERY_MS = 60_000
FLOWER_ADDRESS = "127.0.0.1"
#: Of Flower's own variables.
DEFAULTS = {
    "FLOWER_URL_PREFIX": "flower",
    "FLOWER_ADDRESS": FLOWER_ADDRESS,
    "FLOWER_READ_ONLY": "true",
}


def publish_flower_options(settings: Settings) -> None:
    """Set what the environment leaves open. Call it before Flower reads its options.

    The site shows Flower under `/flower` (`web/views/flower.py`), so Flower has this prefix, too,
    and listens for this machine alone. Nobody revokes tasks there or changes workers, unless an
    operator sets Flower's own FLOWER_READ_ONLY. The tasks that it has seen are kept in DATA_DIR,
    if that can be written.
    """
    for name, text in DEFAULTS.items():
        os.environ.setdefault(name, text)
    folder = settings.data_dir.resolve() / "flower"
    if "FLOWER_DB" not in os.environ and _is_writable(folder):
        os.environ.setdefault("FLOWER_PERSISTENT", "true")
        os.environ.setdefault("FLOWER_STATE_SAVE_INTERVAL", str(SAVE_EVERY_MS))
        os.environ["FLOWER_DB"] = str(folder / "tasks")


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)
