"""Log lines: an event, then its fields as key=value. Ids, never text."""

from __future__ import annotations

import logging
import sys

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class FieldsFormatter(logging.Formatter):
    """Appends what was given as `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        record.message = record.getMessage()
        fields = {k: v for k, v in vars(record).items() if k not in _STANDARD and k != "data"}
        record.fields = "".join(f" {key}={value}" for key, value in fields.items())
        return super().format(record)


# Other people's libraries, and Celery's three lines for each task: the sweep alone is one every
# few seconds. What a task has done is said by the code that did it.
QUIET = (
    "httpx",
    "httpcore",
    "LiteLLM",
    "urllib3",
    "sentence_transformers",
    "celery.app.trace",
    "celery.beat",
    "celery.worker.strategy",
)


def configure_logging(level: int | str) -> None:
    """Everything to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        FieldsFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s%(fields)s")
    )
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
