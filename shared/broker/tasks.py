"""The names of the tasks, their queues and their priorities."""

from __future__ import annotations

from shared.models import Due, Kind, Urgency

SUMMARIZE = "memory.summarize"
EXTRACT_FACTS = "facts.extract"
WRITE_EPISODE = "memory.write_episode"
WRITE_TITLE = "conversations.write_title"
EMBED = "memory.embed"
DELIVER = "webhooks.deliver"
SWEEP = "maintenance.sweep"
CATCH_UP = "maintenance.catch_up"
RETIRE = "maintenance.retire"

TASK_OF_KIND: dict[Kind, str] = {
    "summary": SUMMARIZE,
    "episode": WRITE_EPISODE,
    "facts": EXTRACT_FACTS,
    "title": WRITE_TITLE,
}

QUEUES = ("summaries", "episodes", "facts", "embeddings", "maintenance", "webhooks")
ROUTES = {
    SUMMARIZE: {"queue": "summaries"},
    EXTRACT_FACTS: {"queue": "facts"},
    WRITE_EPISODE: {"queue": "episodes"},
    WRITE_TITLE: {"queue": "summaries"},  # one short call per conversation: no own queue
    EMBED: {"queue": "embeddings"},
    DELIVER: {"queue": "webhooks"},
    SWEEP: {"queue": "maintenance"},
    CATCH_UP: {"queue": "maintenance"},
    RETIRE: {"queue": "maintenance"},
}

# The smallest number goes first. A worker looks at all of its queues before it takes a task.
# Tasks without a priority, such as the sweep, have 0.
PRIORITY: dict[Urgency, int] = {"lost": 0, "live": 3, "backlog": 9}


def queue_of(job: Due) -> str:
    return ROUTES[TASK_OF_KIND[job.kind]]["queue"]
