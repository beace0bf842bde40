"""A variable that is no setting: the supervisor tells the page where its gate is.

The gate is a file (`supervisor/page.py`): the page loads at once, and answers when it is
there.
"""

from __future__ import annotations

import os
from pathlib import Path

START_GATE = "START_GATE"


def find_start_gate() -> Path | None:
    """The path of the gate. None: nobody holds the page back."""
    path = os.environ.get(START_GATE)
    return Path(path) if path else None
