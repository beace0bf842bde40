"""Everything about a user as one JSON document, piece by piece, from one snapshot.

The importer reads it once, from front to back. So what conversations refer to comes before them,
and their files come after them. It does not read the rest, which is for the user.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import TypeAlias

from shared.db import PgConnection
from shared.models import Conversation, ConversationId, UserId
from shared.models.memory_scope import ALL_MEMORIES
from shared.services import Services
from shared.store import conversations
from shared.store.upkeep import account_exports, exports

FORMAT = "throughline-export"
VERSION = 1
BLOCK_CHARS = 32_768

#: A conversation with its messages, each a JSON text.
Said: TypeAlias = tuple[Conversation, Iterator[str]]
#: Writes conversations of a chat in pieces. The number is that of the branches which are left out.
WriteChat: TypeAlias = Callable[[Iterator[Said], int], Iterator[str]]

OF_A_CONVERSATION: dict[str, Callable[[PgConnection, str], Iterator[str]]] = {
    "messages": exports.stream_messages,
    "summaries": exports.stream_summaries,
    "episodes": exports.stream_episodes,
    "usage": exports.stream_usage,
}
OF_A_USER: dict[str, Callable[[PgConnection, UserId], Iterator[str]]] = {
    "personas": account_exports.stream_personas,
    "projects": account_exports.stream_projects,
    "facts": account_exports.stream_facts,
    "forgotten_facts": account_exports.stream_forgotten,
}
REST_OF_A_USER: dict[str, Callable[[PgConnection, UserId], Iterator[str]]] = {
    "fact_suggestions": account_exports.stream_suggestions,
    "attachments": exports.stream_attachments,
    "imports": account_exports.stream_imports,
    "api_tokens": account_exports.stream_tokens,
    "shares": account_exports.stream_shares,
    "webhooks": account_exports.stream_webhooks,
    "prompts": account_exports.stream_prompts,
    "audit_events": account_exports.stream_audit_events,
}


def export_user(services: Services, user_id: UserId, exported_at: datetime) -> Iterator[str]:
    """The document in blocks. It uses a connection until it is read to the end or closed."""
    with services.database.transaction(user=user_id, memory=ALL_MEMORIES) as connection:
        exports.begin_snapshot(connection)
        yield from _blocks(_document(connection, user_id, exported_at))


def export_conversation(
    services: Services,
    user_id: UserId,
    conversation_id: ConversationId,
    write: WriteChat,
    *,
    with_branches: bool = False,
) -> Iterator[str]:
    """One conversation in blocks, in the form of `write`. Raises `NotFoundError` at the first.

    It has what was said, and nothing of memory: such a file is given to others. `with_branches`:
    all of its chat, branches behind what they branched from.
    """
    with services.database.transaction(user=user_id) as connection:
        exports.begin_snapshot(connection)
        conversation = conversations.get_conversation(connection, user_id, conversation_id)
        chat = conversations.list_chat(connection, conversation.chat_id)
        chosen = chat if with_branches else [conversation]
        branches = (
            (each, exports.stream_said(connection, each.conversation_id)) for each in chosen
        )
        yield from _blocks(write(branches, len(chat) - len(chosen)))


def _document(connection: PgConnection, user_id: UserId, exported_at: datetime) -> Iterator[str]:
    head = {"format": FORMAT, "version": VERSION, "exported_at": exported_at.isoformat()}
    yield json.dumps(head)[:-1]  # the closing brace comes at the very end
    yield from _list("users", _whole(account_exports.stream_users(connection, user_id)))
    for name, stream in OF_A_USER.items():
        yield from _list(name, _whole(stream(connection, user_id)))
    yield from _list("conversations", _chats(connection, user_id))
    for name, stream in REST_OF_A_USER.items():
        yield from _list(name, _whole(stream(connection, user_id)))
    yield "}\n"


def _chats(connection: PgConnection, user_id: UserId) -> Iterator[Iterator[str]]:
    for chat_id, text in exports.stream_chats(connection, user_id):
        yield _chat(connection, chat_id, text)


def _chat(connection: PgConnection, chat_id: str, text: str) -> Iterator[str]:
    """The first conversation of a chat. Its branches come last: an import reads them after it."""
    yield from _conversation(connection, chat_id, text)
    branches = exports.stream_branches(connection, chat_id)
    yield from _list("branches", (_whole_conversation(connection, *branch) for branch in branches))
    yield "}"


def _whole_conversation(connection: PgConnection, conversation_id: str, text: str) -> Iterator[str]:
    yield from _conversation(connection, conversation_id, text)
    yield "}"


def _conversation(connection: PgConnection, conversation_id: str, text: str) -> Iterator[str]:
    """Without the closing brace."""
    yield text[:-1]
    for name, stream in OF_A_CONVERSATION.items():
        yield from _list(name, _whole(stream(connection, conversation_id)))


def _whole(texts: Iterable[str]) -> Iterator[Iterable[str]]:
    """Items that each have one piece."""
    return ((text,) for text in texts)


def _list(name: str, items: Iterable[Iterable[str]]) -> Iterator[str]:
    """A list as a further member of an object. Each item comes in pieces."""
    yield f',\n"{name}": ['
    separator = "\n"
    for item in items:
        yield separator
        yield from item
        separator = ",\n"
    yield "]"


def _blocks(pieces: Iterable[str]) -> Iterator[str]:
    """The same text in larger pieces, because each piece is a write to the client."""
    waiting: list[str] = []
    size = 0
    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        if size >= BLOCK_CHARS:
            yield "".join(waiting)
            waiting, size = [], 0
    yield "".join(waiting)
