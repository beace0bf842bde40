"""The names of the tasks, their queues and their priorities."""

from __future__ import annotations

from typing import Literal

from shared.models import Due, Kind, Urgency

BrokerKind = Literal["redis", "rabbitmq"]

SUMMARIZE = "memory.summarize"
EXTRACT_FACTS = "facts.extract"
WRITE_EPISODE = "memory.write_episode"
WRITE_TITLE = "conversations.write_title"
TIDY = "facts.tidy"
CHECK_MODEL = "models.check"
EMBED = "memory.embed"
DELIVER = "webhooks.deliver"
SWEEP = "maintenance.sweep"
CATCH_UP = "maintenance.catch_up"
RETIRE = "maintenance.retire"
BACK_UP = "maintenance.back_up"

TASK_OF_KIND: dict[Kind, str] = {
    "summary": SUMMARIZE,
    "episode": WRITE_EPISODE,
    "facts": EXTRACT_FACTS,
    "title": WRITE_TITLE,
    "tidying": TIDY,
}

QUEUES = ("summaries", "episodes", "facts", "embeddings", "maintenance", "webhooks", "backups")
ROUTES = {
    SUMMARIZE: {"queue": "summaries"},
    EXTRACT_FACTS: {"queue": "facts"},
    WRITE_EPISODE: {"queue": "episodes"},
    WRITE_TITLE: {"queue": "summaries"},  # one short call per conversation: no own queue
    TIDY: {"queue": "facts"},
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


def queue_of(job: Due) -> str:
    return ROUTES[TASK_OF_KIND[job.kind]]["queue"]
