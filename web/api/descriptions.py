"""What the document says in words: the API as a whole, its groups, the parts of its paths."""

from __future__ import annotations

from typing import Any

from shared.models.job_kinds import KINDS
from shared.policy.project_names import MAX_CHARS, PATTERN
from web.requests.queries import MAX_ID, MAX_NUMBER

Json = dict[str, Any]
INFO: Json = {
    "title": "Throughline",
    "version": "1",
    "description": (
        "A chat that remembers. Lists are read page by page: `cursor` takes the `next_cursor` of "
        "the page before. Errors are problem details (RFC 9457). What creates something takes an "
        "`Idempotency-Key`."
    ),
    "license": {"name": "MIT", "identifier": "MIT"},
}
TAGS: list[Json] = [
    {"name": "chat", "description": "Rounds: a message and the reply to it."},
    {"name": "temporary", "description": "Chats of which nothing is stored."},
    {"name": "conversations", "description": "Conversations, and what each has cost."},
    {"name": "chat_files", "description": "One conversation as a file."},
    {"name": "messages", "description": "The messages of a conversation."},
    {"name": "attachments", "description": "Files for messages."},
    {"name": "project_files", "description": "Files that every chat of a project may use."},
    {"name": "replies", "description": "Variants of replies, and their ratings."},
    {"name": "traces", "description": "What the prompt of a reply contained."},
    {"name": "summaries", "description": "Rolling summaries of a conversation."},
    {"name": "jobs", "description": "Background jobs of a conversation."},
    {"name": "facts", "description": "Facts about the user."},
    {"name": "lessons", "description": "What the messages of a conversation have taught."},
    {"name": "memory_lists", "description": "What another assistant remembers, as a list."},
    {"name": "suggestions", "description": "Facts that wait for the user's word."},
    {"name": "tidying", "description": "Facts that say the same thing, joined."},
    {"name": "episodes", "description": "Closed spans of messages, summed up."},
    {"name": "search", "description": "Search in everything that was said."},
    {"name": "events", "description": "What happens in a memory, as it happens."},
    {"name": "webhooks", "description": "Addresses that are told of events."},
    {"name": "imports", "description": "Past conversations from files."},
    {"name": "me", "description": "Everything about the user."},
    {"name": "quotas", "description": "How much the user may use, and has used."},
    {"name": "projects", "description": "Conversations that belong together."},
    {"name": "moves", "description": "What moving a conversation to another project would do."},
    {"name": "personas", "description": "Assistants that the user writes."},
    {"name": "prompts", "description": "Texts that the user keeps, to put into messages."},
    {"name": "tokens", "description": "API tokens: they let programs in."},
    {"name": "shares", "description": "Links by which anybody may read a chat."},
    {"name": "audit", "description": "Who did what to the user's data."},
    {"name": "operations", "description": "How the site's jobs fare, for its operators."},
    {"name": "operations_doctor", "description": "What is wrong with the site, and what to do."},
    {"name": "operations_status", "description": "The site in one look."},
    {"name": "site_models", "description": "Models that operators set up."},
    {"name": "model_providers", "description": "Providers of models, and servers on this machine."},
    {"name": "model_trials", "description": "How a model answers, tried out by operators."},
    {"name": "site", "description": "The site, its model and its agents."},
]


def _number(description: str, most: int) -> Json:
    schema = {"type": "integer", "minimum": 0, "maximum": most}
    return {"description": description, "schema": schema, "example": 1}


def _uuid(description: str) -> Json:
    example = "6f1c7c6e-3a52-4f0e-9d5e-0b8f2a6c1d47"
    schema = {"type": "string", "format": "uuid"}
    return {"description": description, "schema": schema, "example": example}


PATH_PARAMETERS: dict[str, Json] = {
    "conversation_id": _uuid("The conversation."),
    "attachment_id": _uuid("The file."),
    "import_id": _uuid("The import."),
    "sequence": _number("The number of a message in its conversation, from 0.", MAX_NUMBER),
    "fact_id": _number("The fact, by the id of one of its versions.", MAX_ID),
    "suggestion_id": _number("The suggestion.", MAX_ID),
    "episode_id": _number("The episode.", MAX_ID),
    "webhook_id": _number("The webhook.", MAX_ID),
    "delivery_id": _number("The delivery to a webhook.", MAX_ID),
    "token_id": _number("The token.", MAX_ID),
    "persona_id": _number("The persona.", MAX_ID),
    "prompt_id": _number("The prompt.", MAX_ID),
    "model_id": _number("The model.", MAX_ID),
    "share_id": _number("The link.", MAX_ID),
    "project": {
        "description": "The project, by its name.",
        "schema": {"type": "string", "pattern": PATTERN, "maxLength": MAX_CHARS},
        "example": "Work",
    },
    "kind": {
        "description": "The kind of job.",
        "schema": {"type": "string", "enum": list(KINDS)},
    },
}
