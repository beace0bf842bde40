"""Open the page in a browser if a person sits in front of this machine."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser


def open_page(url: str) -> None:
    """Does nothing without a terminal and a screen, and nothing as root: browsers refuse root."""
    if sys.stdout.isatty() and _has_screen() and os.geteuid() != 0:
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()


def _has_screen() -> bool:
    display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return sys.platform == "darwin" or bool(display)
