"""Attachments: files that a user message has."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from shared.models.ids import ConversationId
from shared.models.recall import MessageKey

#: What is done with a file. Text and PDFs are read as text, images are shown to models that see.
FileKind = Literal["text", "pdf", "image"]
PlaceKind = Literal["page", "slide", "sheet"]


@dataclass(frozen=True, kw_only=True)
class Attachment:
    """A row of `attachments`: a file without its content."""

    attachment_id: str
    name: str
    kind: FileKind
    #: Found by looking at the content, never what a client calls it.
    media_type: str
    byte_count: int
    #: Of an image, in pixels.
    width: int | None = None
    height: int | None = None
    #: Of its message. None: it is not sent yet.
    sequence_number: int | None = None
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class NewFile:
    """A file that was checked, as it is stored."""

    name: str
    kind: FileKind
    media_type: str
    content: bytes
    #: The text in it. None: an image.
    text: str | None = None
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True, kw_only=True)
class AttachedFile:
    """A file with what a prompt is given of it."""

    attachment: Attachment
    #: Of text and PDFs.
    text: str = ""
    #: Of an image; empty where no model sees it.
    content: bytes = b""


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where in a file something stands."""

    kind: PlaceKind
    #: The number of a page or slide from 1, or a sheet's name.
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


@dataclass(frozen=True, kw_only=True)
class FilePassage:
    """A piece of a file's text that was found, with where the file is."""

    attachment_id: str
    #: Its place in the file, from 0.
    number: int
    #: Of the file.
    name: str
    #: Of the file's message.
    conversation_id: ConversationId
    sequence_number: int
    #: Of the conversation. None: it has none yet.
    title: str | None
    #: When the file's message was written.
    sent_at: datetime
    text: str
    #: None: the file has no places, or was cut before they were known.
    place: Place | None = None
    #: The score by which it is ranked. Only scores of one query can be compared.
    score: float = 0.0

    @property
    def key(self) -> MessageKey:
        """The key by which it is scored among messages: see `Passage`."""
        return MessageKey(ConversationId(self.attachment_id), self.number)
