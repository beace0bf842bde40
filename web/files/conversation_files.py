"""One conversation as a file: Markdown to read, JSON to import again."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Literal

from shared.models import Conversation
from shared.user_data.export import FORMAT, VERSION, Said, WriteChat
from web.files.file_lines import describe_file
from web.pages.texts import read_plain_texts

FileFormat = Literal["markdown", "json"]
MIMETYPES: dict[FileFormat, str] = {"markdown": "text/markdown", "json": "application/json"}
ENDINGS: dict[FileFormat, str] = {"markdown": "md", "json": "json"}
MAX_NAME_CHARS = 60
#: What file systems and shells take amiss, and what is invisible, is no part of a name.
MARKUP = re.compile(r"[\\`*_\[\]<>|~#]")
OTHERS = re.compile(r"[^\w]+")


def file_name(conversation: Conversation, kind: FileFormat) -> str:
    """A name of letters and digits of any script, with hyphens between."""
    words = OTHERS.sub("-", conversation.title or "").strip("-_")[:MAX_NAME_CHARS].rstrip("-_")
    return f"{words or f'chat-{conversation.created_at:%Y-%m-%d}'}.{ENDINGS[kind]}"


def writer_of(kind: FileFormat, exported_at: datetime, language: str) -> WriteChat:
    """`language` is that of the words between what was said."""
    if kind == "json":
        return functools.partial(_write_json, exported_at)
    return functools.partial(_write_markdown, exported_at, language)


def title_of(conversation: Conversation, language: str) -> str:
    return " ".join((conversation.title or read_plain_texts(language)["chat.untitled"]).split())


def speaker_of(role: str, name: str | None, language: str) -> str:
    return name or read_plain_texts(language)[f"chat.{role}"]


def _write_markdown(
    exported_at: datetime, language: str, chat: Iterator[Said], left_out: int
) -> Iterator[str]:
    texts = read_plain_texts(language)
    conversation, messages = next(chat)
    exported = texts["chat.exported"].format(date=f"{exported_at:%Y-%m-%d}")
    yield f"# {title_of(conversation, language)}\n\n*{exported}*\n"
    if left_out:
        yield f"\n*{texts['chat.branches']}*\n"
    for text in messages:
        message = json.loads(text)
        speaker = speaker_of(message["role"], message["name"], language)
        at = datetime.fromisoformat(message["created_at"])
        yield f"\n## {speaker}, {at:%Y-%m-%d %H:%M} UTC\n\n"
        yield f"{message['content'].strip()}\n"
        for file in message["attachments"] or ():
            yield f"\n{describe_file(file, _as_plain(file['name']), language)}\n"


def _as_plain(name: str) -> str:
    """A file's name that Markdown shows as it is."""
    return MARKUP.sub(r"\\\g<0>", name)


def _write_json(exported_at: datetime, chat: Iterator[Said], _left_out: int) -> Iterator[str]:
    """In the form of the whole export, so that it can be imported."""
    head = {"format": FORMAT, "version": VERSION, "exported_at": exported_at.isoformat()}
    yield f'{json.dumps(head)[:-1]},\n"conversations": [\n'
    yield from _conversation_json(*next(chat))
    yield ',\n"branches": ['
    separator = "\n"
    for branch in chat:
        yield separator
        yield from _conversation_json(*branch)
        yield "}"
        separator = ",\n"
    yield "]}]}\n"


def _conversation_json(conversation: Conversation, messages: Iterator[str]) -> Iterator[str]:
    """Without the closing brace."""
    about = {
        "conversation_id": conversation.conversation_id,
        "title": conversation.title,
        "agent": conversation.agent,
        "mode": conversation.mode,
        "created_at": conversation.created_at.isoformat(),
        "updated_at": conversation.updated_at.isoformat(),
        "branched_from": conversation.branched_from,
        "branched_at": conversation.branched_at,
    }
    yield f'{json.dumps(about)[:-1]},\n"messages": ['
    separator = "\n"
    for text in messages:
        yield separator + text
        separator = ",\n"
    yield "]"
