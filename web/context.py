"""What the views work with: this process's services and rounds."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from flask import current_app

from shared.embeddings import QueryEncoder
from shared.rounds.running import RoundRunner
from shared.services import Services


@dataclass(frozen=True)
class WebContext:
    """`leaving` is set when the process has been asked to stop: streams then say goodbye."""

    services: Services
    runner: RoundRunner
    encoder: QueryEncoder
    leaving: threading.Event = field(default_factory=threading.Event)


def web_context() -> WebContext:
    context: WebContext = current_app.extensions["throughline"]
    return context
