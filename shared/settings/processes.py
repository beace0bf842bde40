"""Which processes of the Procfile need a secret, as each setting declares it."""

from __future__ import annotations

from dataclasses import dataclass

ALL = frozenset({"web", "worker-llm", "worker-embed", "worker-backup", "beat", "flower", "migrate"})
WEB = frozenset({"web"})
WORKERS = frozenset({"worker-llm", "worker-embed"})
#: They sign in to Postgres as the owner of its tables, who sees all rows.
OWNERS = frozenset({"migrate", "worker-backup"})
#: They ask models: what a provider needs (keys, regions, projects) is known to litellm alone.
ASK_MODELS = frozenset({"web", "worker-llm"})


@dataclass(frozen=True)
class ForProcesses:
    """Marks a setting that is a secret, or may contain one: no other process is given it."""

    names: frozenset[str] = frozenset()
