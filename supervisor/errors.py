from __future__ import annotations


class StartError(SystemExit):
    """Throughline cannot start; the message says why and what to do."""
