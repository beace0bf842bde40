"""Log lines: an event, and fields. Ids, never text.

Our own code logs no text. Libraries may quote their input, so only their lines about processes and
connections are written (`privacy`). Errors are logged by type and stack (`tracebacks`).
"""

from __future__ import annotations

from shared.logs.configuration import configure_logging
from shared.logs.context import add_fields, bound_fields, current_fields, keep_fields

__all__ = ["add_fields", "bound_fields", "configure_logging", "current_fields", "keep_fields"]
