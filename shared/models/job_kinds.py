"""The kinds of background jobs, each declared once.

Tasks, queues, claims, the sweep, the API and the page follow from these declarations. How the jobs
of a kind are done is in the file of its name in `shared/derivations/kinds`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Kind = Literal["summary", "episode", "facts", "title", "tidying"]
KINDS: tuple[Kind, ...] = get_args(Kind)
#: The kinds of work that a process does under a lease.
Leased = Literal["reply", Kind]
Outdated = Literal["covering", "later", "unfinished"]


@dataclass(frozen=True, kw_only=True)
class Derivation:
    """A kind of background job, and the table whose rows are its jobs."""

    kind: Kind
    #: The name of its Celery task, which Flower shows.
    task: str
    queue: Literal["summaries", "episodes", "facts"]
    #: Tokens of an answer: about twice the longest useful one. A model that thinks before it
    #: answers needs more, which MEMORY_MAX_TOKENS gives to all kinds.
    max_tokens: int
    #: What may make a job due: a reply, also a message whose reply failed, or the next day.
    trigger: Literal["reply", "message", "day"]
    #: Whether the next prompts need its product, or the user waits for it.
    is_urgent: bool = False
    #: The rows that are discarded when a message is deleted: those that cover it, those that cover
    #: it or later ones, or those that have not completed. None: also when it is replaced.
    outdated: Outdated | None = "covering"
    table: str
    id_column: Literal["id", "memory_id"] = "id"
    #: The first message of a job's span, included.
    start_column: Literal["start_sequence", "turn_start"] = "start_sequence"
    #: The last message of a job's span, included.
    end_column: Literal["end_sequence", "turn_end"] = "end_sequence"
    #: The columns with what the job made of the messages.
    products: tuple[str, ...] = ()
    #: Whether the column `parts` holds what an unfinished job has read.
    has_parts: bool = False


SUMMARY = Derivation(
    kind="summary",
    task="memory.summarize",
    queue="summaries",
    max_tokens=800,
    trigger="reply",
    outdated="later",  # each summary builds on earlier ones
    table="memory",
    id_column="memory_id",
    products=("memory_text", "points"),
    has_parts=True,
)
EPISODE = Derivation(
    kind="episode",
    task="memory.write_episode",
    queue="episodes",
    max_tokens=600,
    trigger="reply",
    table="episodic_memory",
    start_column="turn_start",
    end_column="turn_end",
    products=("summary", "key_concepts", "embedding", "embedding_model"),
    has_parts=True,
)
FACTS = Derivation(
    kind="facts",
    task="facts.extract",
    queue="facts",
    max_tokens=900,
    trigger="message",
    is_urgent=True,
    outdated="unfinished",  # `shared/facts/retraction.py` takes back the facts
    table="fact_extractions",
)
TITLE = Derivation(
    kind="title",
    task="conversations.write_title",
    queue="summaries",  # one short call per conversation: no queue of its own
    max_tokens=30,
    trigger="reply",
    is_urgent=True,
    table="titles",
    products=("title",),
)
TIDYING = Derivation(
    kind="tidying",
    task="facts.tidy",
    queue="facts",
    max_tokens=400,  # ten groups, and a model's words around them
    trigger="day",
    outdated=None,  # it reads no messages
    table="tidyings",
)
DERIVATIONS: dict[Kind, Derivation] = {d.kind: d for d in (SUMMARY, EPISODE, FACTS, TITLE, TIDYING)}
