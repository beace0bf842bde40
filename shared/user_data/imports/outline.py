"""What the JSON of an upload holds, known before anything of it is imported."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from shared.errors import BrokenImportError, UnknownFormError
from shared.user_data.imports.formats import CONTENT_KEYS, LIST_KEYS
from shared.user_data.imports.json_stream import DEPTHS, Event, Readable, read_events

#: What is imported, in this order: what others refer to comes first. All but conversations and
#: their branches is in our own export only.
Section = Literal[
    "personas", "prompts", "projects", "facts", "forgotten_facts", "conversations", "branches",
    "attachments",
]  # fmt: skip
SECTIONS: tuple[Section, ...] = get_args(Section)
OWN_FORMAT = ("string", "throughline-export")

# Of the objects that are open at once. Our own export has far fewer, whatever it holds.
MAX_KEYS = 100_000
MAX_DEPTH = 10_000  # of objects: LibreChat nests each message in the one before


class Outline(NamedTuple):
    sections: frozenset[Section]
    #: It is our own export.
    is_own: bool = False
    #: It is one chat, and no list of chats.
    is_chat: bool = False


def outline_document(source: Readable) -> Outline:
    """Read a document to its end, and keep nothing of it.

    Raises `BrokenImportError` where the JSON is broken, and for an export of ours with an object
    that has a key twice; `UnknownFormError` for JSON of another kind.
    """
    events = read_events(source)
    first = next(events)
    if first[0] not in {"start_map", "start_array"}:
        raise UnknownFormError
    keys = _Keys()
    keys.note(first)
    for event in events:
        keys.note(event)
    return keys.outline(is_list=first[0] == "start_array")


class _Keys:
    """The keys of the objects that are open, and the members of the document."""

    def __init__(self) -> None:
        self._depth = 0
        self._open: list[set[str]] = []
        self._count = 0
        self._has_branches = False
        self._is_regular = True
        #: The key whose value comes next.
        self._key: str | None = None
        #: The first events of the document's members.
        self._members: dict[str, Event] = {}

    def note(self, event: Event) -> None:
        kind, value = event
        if kind == "map_key":
            self._note_key(value)
            return
        if self._key is not None:
            self._members[self._key] = event
            self._key = None
        self._depth += DEPTHS.get(kind, 0)
        if kind == "start_map":
            self._open.append(set())
            if len(self._open) > MAX_DEPTH:
                raise BrokenImportError("The file is nested too deeply.")
        elif kind == "end_map":
            self._count -= len(self._open.pop())

    def _note_key(self, key: str) -> None:
        self._is_regular = self._is_regular and key not in self._open[-1] and self._count < MAX_KEYS
        if self._is_regular:
            self._open[-1].add(key)
            self._count += 1
        if key == "branches":
            self._has_branches = True
        if self._depth == 1 and (
            key == "format" or key in CONTENT_KEYS | LIST_KEYS or key in SECTIONS
        ):
            self._key = key

    def outline(self, *, is_list: bool) -> Outline:
        is_own = self._members.get("format") == OWN_FORMAT
        if is_own and not self._is_regular:
            raise BrokenImportError("An object of the export has a key twice.")
        lists = {key for key, (kind, _) in self._members.items() if kind == "start_array"}
        has_chats = is_list or is_own or bool(lists & LIST_KEYS)
        is_chat = not has_chats and bool(CONTENT_KEYS & self._members.keys())
        if not (has_chats or is_chat):
            raise UnknownFormError
        sections = {section for section in SECTIONS if is_own and section in lists}
        sections.add("conversations")
        if self._has_branches:
            sections.add("branches")
        return Outline(frozenset(sections), is_own, is_chat)
