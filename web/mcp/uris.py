"""Addresses of what is remembered: `throughline://facts/12`. Tools and resources share them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from shared.errors import InvalidRequestError
from shared.models import ConversationId

SCHEME = "throughline://"
FACT = f"{SCHEME}facts/{{id}}"
EPISODE = f"{SCHEME}episodes/{{id}}"
MESSAGE = f"{SCHEME}conversations/{{conversation_id}}/messages/{{sequence}}"

MAX_ID = 2**63 - 1  # Postgres's bigint
MAX_SEQUENCE = 2**31 - 1  # Postgres's integer

_NUMBERED = re.compile(r"throughline://(facts|episodes)/([0-9]{1,19})", re.ASCII)
_SPOKEN = re.compile(
    r"throughline://conversations/([0-9A-Fa-f-]{32,36})/messages/([0-9]{1,10})", re.ASCII
)


@dataclass(frozen=True)
class Numbered:
    """The address of a fact or an episode."""

    kind: Literal["facts", "episodes"]
    number: int


@dataclass(frozen=True)
class Spoken:
    """The address of a message."""

    conversation_id: ConversationId
    sequence: int


def fact_uri(fact_id: int) -> str:
    return FACT.format(id=fact_id)


def episode_uri(episode_id: int) -> str:
    return EPISODE.format(id=episode_id)


def message_uri(conversation_id: ConversationId, sequence: int) -> str:
    return MESSAGE.format(conversation_id=conversation_id, sequence=sequence)


def read_uri(uri: str) -> Numbered | Spoken:
    """Read an address. Raises `InvalidRequestError`."""
    if match := _NUMBERED.fullmatch(uri):
        number = int(match[2])
        if number <= MAX_ID:
            return Numbered("facts" if match[1] == "facts" else "episodes", number)
    if match := _SPOKEN.fullmatch(uri):
        sequence = int(match[2])
        if sequence <= MAX_SEQUENCE:
            return Spoken(_read_conversation_id(match[1]), sequence)
    raise _not_an_address()


def read_fact_uri(uri: str) -> int:
    """The fact's id. Raises `InvalidRequestError`."""
    match read_uri(uri):
        case Numbered("facts", number):
            return number
        case _:
            raise InvalidRequestError("uri: is not a fact's. It looks like throughline://facts/12.")


def _read_conversation_id(text: str) -> ConversationId:
    try:
        return ConversationId(str(UUID(text)))
    except ValueError as exc:
        raise _not_an_address() from exc


def _not_an_address() -> InvalidRequestError:
    return InvalidRequestError(
        "uri: is not an address of this memory. Use one that recall, search, list_facts or "
        "remember has answered with."
    )
