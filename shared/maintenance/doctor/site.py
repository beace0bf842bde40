"""The site that is examined, and what a check says of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from shared.services import Services
from shared.settings import Settings

Status = Literal["ok", "problem", "skipped"]


@dataclass(frozen=True, kw_only=True)
class Site:
    settings: Settings
    #: None: its databases have no addresses, since it does not run.
    services: Services | None
    #: Names of the variables in `.env`.
    variables: tuple[str, ...]
    #: TZ of the environment; "": the system's.
    zone: str


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
