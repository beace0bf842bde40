"""gunicorn's log lines, in the same form as our own."""

from __future__ import annotations

from typing import Any

from gunicorn.glogging import Logger

from shared.logs import configure_logging
from shared.settings import current_settings


class ServerLogger(Logger):  # type: ignore[misc]
    """The logger of gunicorn's first process. The web processes inherit it."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        settings = current_settings()
        configure_logging(settings.log_level, settings.log_format)
