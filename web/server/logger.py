"""gunicorn's own lines, in the form of all others."""

from __future__ import annotations

from typing import Any

from gunicorn.glogging import Logger

from shared.logs import configure_logging
from shared.settings import current_settings


class ServerLogger(Logger):  # type: ignore[misc]
    """Of the process that starts the web processes, and by inheritance of those."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        settings = current_settings()
        configure_logging(settings.log_level, settings.log_format)
