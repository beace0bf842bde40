"""The site that is examined, and what a check says of it."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Literal

from shared.embeddings.query_encoder import QueryEncoder
from shared.services import Services
from shared.settings import Settings
from shared.settings.setting_sources import Variables

Status = Literal["ok", "problem", "skipped"]


@dataclass(frozen=True, kw_only=True)
class Site:
    settings: Settings
    #: None: its databases have no addresses, since it does not run.
    services: Services | None
    variables: Variables
    #: That of the web process in which the checks are run. None: the command runs them.
    encoder: QueryEncoder | None = None
    #: By `time.monotonic()`: when the checks have to be over.
    ends_at: float = math.inf

    def has_time(self, seconds: float = 0) -> bool:
        """Whether there is time left for something that takes so long."""
        return time.monotonic() + seconds < self.ends_at


@dataclass(frozen=True)
class Finding:
    status: Status
    says: str
    #: What to do about a problem.
    advice: str = ""


def ok(says: str) -> Finding:
    return Finding("ok", says)


def problem(says: str, advice: str) -> Finding:
    return Finding("problem", says, advice)


def skipped(says: str) -> Finding:
    return Finding("skipped", says)
