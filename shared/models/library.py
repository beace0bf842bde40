"""Personas and prompts: texts that a user writes, and keeps by name."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from shared.models.audit import Action, ObjectKind
from shared.models.ids import Mode

MAX_NAME_CHARS = 60
MAX_BODY_CHARS = 8_000


@dataclass(frozen=True, kw_only=True)
class PersonaText:
    """An assistant, as its user writes it."""

    name: str
    #: The system prompt, in place of an agent's.
    instructions: str
    #: The model that its conversations begin with. None: the site's default.
    model: str | None
    #: What memory may do in conversations that begin with it.
    mode: Mode

    @property
    def body(self) -> str:
        return self.instructions


@dataclass(frozen=True, kw_only=True)
class PromptText:
    """A text that is put into messages, as its user writes it."""

    #: By which it is found on the page.
    name: str
    #: It may hold gaps to fill in, such as {{city}}.
    text: str

    @property
    def body(self) -> str:
        return self.text


Text = TypeVar("Text", PersonaText, PromptText)


@dataclass(frozen=True, kw_only=True)
class Entry(Generic[Text]):
    """A row of `personas` or `prompts`."""

    entry_id: int
    text: Text
    created_at: datetime


Persona = Entry[PersonaText]
Prompt = Entry[PromptText]


@dataclass(frozen=True, kw_only=True)
class Shelf(Generic[Text]):
    """All entries of one kind, and what the two kinds differ in."""

    text_type: type[Text]
    most: int  #: entries of one user
    noun: ObjectKind
    table: str
    key: str
    creation: Action
    change: Action
    deletion: Action


PERSONAS = Shelf(
    text_type=PersonaText,
    most=50,
    noun="persona",
    table="personas",
    key="persona_id",
    creation="persona.create",
    change="persona.change",
    deletion="persona.delete",
)
PROMPTS = Shelf(
    text_type=PromptText,
    most=200,
    noun="prompt",
    table="prompts",
    key="prompt_id",
    creation="prompt.create",
    change="prompt.change",
    deletion="prompt.delete",
)
