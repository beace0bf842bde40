"""The names of the tasks, their queues and their priorities."""

from __future__ import annotations

from typing import Literal

from shared.models import Urgency
from shared.models.job_kinds import DERIVATIONS

BrokerKind = Literal["redis", "rabbitmq"]

CHECK_MODEL = "models.check"
EMBED = "memory.embed"
DELIVER = "webhooks.deliver"
SWEEP = "maintenance.sweep"
CATCH_UP = "maintenance.catch_up"
RETIRE = "maintenance.retire"
BACK_UP = "maintenance.back_up"

QUEUES = ("summaries", "episodes", "facts", "embeddings", "maintenance", "webhooks", "backups")
ROUTES: dict[str, dict[str, str]] = {
    **{derivation.task: {"queue": derivation.queue} for derivation in DERIVATIONS.values()},
    CHECK_MODEL: {"queue": "facts"},
    EMBED: {"queue": "embeddings"},
    DELIVER: {"queue": "webhooks"},
    SWEEP: {"queue": "maintenance"},
    CATCH_UP: {"queue": "maintenance"},
    RETIRE: {"queue": "maintenance"},
    BACK_UP: {"queue": "backups"},  # read by a process of its own: a dump takes long
}

# Redis: the smallest number goes first, and a worker looks at all of its queues before it takes a
# task. RabbitMQ: the largest goes first within a queue, and a worker's queues take turns. Tasks
# without a priority, such as the sweep, have 0; they have queues of their own.
PRIORITIES: dict[BrokerKind, dict[Urgency, int]] = {
    "redis": {"lost": 0, "live": 3, "backlog": 9},
    "rabbitmq": {"lost": 2, "live": 1, "backlog": 0},
}
