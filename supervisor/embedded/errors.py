from __future__ import annotations

from shared.errors import ThroughlineError


class EmbeddedServiceError(ThroughlineError):
    """An embedded service could not be started."""

    code = "embedded_service"
