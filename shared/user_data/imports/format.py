"""What a program's format says of itself: how its chats are recognized and read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from shared.user_data.imports.past_conversation import Utterance
from shared.user_data.imports.trees import Tree

Json = dict[str, Any]


class Chat(NamedTuple):
    """A chat as it was read from a file."""

    #: Its other fields, by the names that they have in our own export.
    about: Json
    utterances: list[Utterance]


@dataclass(frozen=True, kw_only=True)
class Format:
    """The format in which one program exports its chats."""

    is_chat: Callable[[Json], bool]
    #: Counts what it leaves out by its reason. Raises `UnreadableConversationError`.
    read: Callable[[Json, Counter[str]], Chat]
    #: A file that is an object with one of these members is itself a chat.
    content_keys: frozenset[str]
    #: A file that is an object has its chats in a list under one of these.
    list_keys: frozenset[str] = frozenset()
    #: What its files are called in an archive, as a pattern.
    file_names: str = r"(?:.*/)?conversations[^/]*\.json"
    #: The messages of a chat that may have branches.
    tree: Callable[[Json], Tree] | None = None
    #: The same chat, with the branch that ends at a message as the shown one.
    with_end: Callable[[Json, str], Json] = lambda chat, _: chat
    #: Joins the items of a list to chats, where an item is less than one.
    join: Callable[[Iterable[object]], Iterator[object]] = iter
