"""The root of the tree."""

from __future__ import annotations

import inspect


class ThroughlineError(Exception):
    """Something went wrong."""

    code = "internal"
    http_status = 500
    #: What the model's provider said, without keys. Shown to some users, and never logged.
    provider_said: str | None = None

    def __init__(self, message: str | None = None) -> None:
        self.message = message or inspect.cleandoc(type(self).__doc__ or "")
        super().__init__(self.message)
