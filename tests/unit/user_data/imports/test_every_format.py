"""What every file of the folder of formats must stand: one chat of each, and what may befall it."""

from __future__ import annotations

import io
import json
import pkgutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest

from shared.errors import BrokenImportError, UnknownFormError, UnreadableConversationError
from shared.user_data.imports import formats
from shared.user_data.imports.alternation import alternate
from shared.user_data.imports.conversation_reader import read_conversation, read_conversations
from shared.user_data.imports.formats import FORMATS, find_format
from shared.user_data.imports.past_conversation import PastConversation
from shared.user_data.imports.sections import Limits
from shared.user_data.imports.upload import Upload

NOW = datetime(2026, 1, 1, tzinfo=UTC)
AT = 1_700_000_000
TURN: dict[str, Any] = {"role": "user", "content": "Hi"}
REPLY: dict[str, Any] = {"role": "assistant", "content": "Yes."}
#: A chat of each format, by its file: "Hi" and "Yes.".
CHATS: dict[str, dict[str, Any]] = {
    "own": {
        "id": "1", "title": "T", "mode": "active", "agent": "a", "model": "m", "persona_id": 7,
        "created_at": AT, "source_key": "k", "branched_from": "0", "branched_at": 2,
        "messages": [
            TURN | {"created_at": AT, "name": "Ann", "status": "complete", "sequence_number": 0,
                    "attachments": [{"attachment_id": "f", "name": "a.txt"}]},
            REPLY | {"created_at": AT, "model": "m", "rating": 1, "finish_reason": "stop",
                     "error": "no", "trace": None, "variants": [REPLY | {"created_at": AT}]},
        ],
    },
    "chatgpt": {
        "id": "1", "title": "T", "create_time": AT, "current_node": "b",
        "mapping": {
            "a": {"parent": None, "children": ["b"], "message": {"author": {"role": "user"},
                  "content": {"parts": ["Hi"]}, "create_time": AT, "recipient": "all",
                  "metadata": {"model_slug": "m"}}},
            "b": {"parent": "a", "message": {"author": {"role": "assistant"},
                  "content": {"parts": ["Yes."]}, "create_time": AT + 1}},
        },
    },
    "claude": {
        "uuid": "1", "name": "T", "chat_messages": [
            {"uuid": "a", "sender": "human", "text": "Hi", "created_at": AT, "files": [],
             "attachments": [{"file_name": "a.txt", "extracted_content": "x"}]},
            {"uuid": "b", "sender": "assistant", "text": "Yes.", "parent_message_uuid": "a"},
        ],
    },
    "open_webui": {
        "id": "1", "chat": {"title": "T", "history": {"currentId": "b", "messages": {
            "a": TURN | {"parentId": None, "timestamp": AT},
            "b": REPLY | {"parentId": "a", "timestamp": AT + 1},
        }}},
    },
    "libre_chat": {
        "conversationId": "1", "title": "T", "messages": [
            {"messageId": "a", "parentMessageId": "-", "isCreatedByUser": True, "text": "Hi"},
            {"messageId": "b", "parentMessageId": "a", "isCreatedByUser": False, "text": "Yes."},
        ],
    },
    "gemini": {
        "header": "Gemini", "products": ["Gemini"], "title": "Prompted Hi",
        "time": "2025-05-01T10:00:00Z", "safeHtmlItem": [{"html": "<p>Yes.</p>"}],
    },
}  # fmt: skip
NAMES = sorted(module.name for module in pkgutil.iter_modules(formats.__path__))
every_format = pytest.mark.parametrize("name", NAMES)


def open_upload(document: bytes, limits: Limits = Limits()) -> Upload:  # noqa: B008 - frozen
    return Upload(lambda: iter([io.BytesIO(document)]), limits)


def list_chats(document: object) -> list[Any]:
    upload = open_upload(json.dumps(document).encode())
    return [item.value for item in upload.read("conversations")]


def read_all(document: object) -> list[PastConversation]:
    return [read_conversation(value) for value in list_chats(document)]


def test_each_file_is_registered_and_has_a_chat_here() -> None:
    assert sorted(CHATS) == NAMES
    assert len(FORMATS) == len(NAMES)


@every_format
def test_its_chat_is_recognized_by_it_alone_and_read(name: str) -> None:
    [chat] = list_chats([CHATS[name]])
    recognized = find_format(chat)
    assert recognized is not None
    assert recognized.is_chat.__module__ == f"{formats.__name__}.{name}"
    [past] = read_conversations(chat, with_branches=True)
    assert [(each.role, each.content) for each in past.utterances] == [
        ("user", "Hi"), ("assistant", "Yes."),
    ]  # fmt: skip
    assert past.left_out == {}


@every_format
def test_it_is_read_alike_whatever_order_its_keys_have(name: str) -> None:
    def reverse(value: object) -> object:
        if isinstance(value, dict):
            return {key: reverse(value[key]) for key in reversed(value)}
        return [reverse(item) for item in value] if isinstance(value, list) else value

    assert read_all([reverse(CHATS[name])]) == read_all([CHATS[name]])


@every_format
def test_beside_others_each_chat_is_read(name: str) -> None:
    chats = [CHATS[name], *CHATS.values()]
    assert [len(past.utterances) for past in read_all(chats)] == [2] * len(chats)


@every_format
def test_a_file_that_is_cut_off_is_broken(name: str) -> None:
    document = json.dumps([CHATS[name]]).encode()
    for length in range(len(document) // 2, len(document)):
        with pytest.raises(BrokenImportError):
            open_upload(document[:length])


@every_format
def test_one_that_is_too_large_is_unreadable(name: str) -> None:
    document = json.dumps([CHATS[name]]).encode()
    [item] = open_upload(document, Limits(value=100)).read("conversations")
    with pytest.raises(UnreadableConversationError, match="too large"):
        read_conversation(item.value)


def test_what_no_format_knows_is_of_an_unknown_form() -> None:
    with pytest.raises(UnknownFormError):
        list_chats({"greeting": "Hello"})
    with pytest.raises(UnknownFormError):
        read_all([{"greeting": "Hello"}])


def nest() -> object:
    """As deep as one chat may be: whoever writes it as text has no stack left."""
    value: object = []
    for _ in range(100_000):
        value = [value]
    return value


ODD = [nest(), None, {}, [], "", 0, -1.5, True, "\x00", "\ud800", 10**400]


def change_each(value: Any, change: object) -> Iterator[Any]:
    """The chat as often as it has members and items, each time with another one changed."""
    places = value if isinstance(value, dict) else range(len(value))
    for place in places:
        changed = value.copy()
        changed[place] = change
        yield changed
        if isinstance(value[place], (dict, list)):
            for inner in change_each(value[place], change):
                changed = value.copy()
                changed[place] = inner
                yield changed


@every_format
@pytest.mark.parametrize("place", range(len(ODD)))
def test_with_anything_in_any_place_it_is_read_or_called_unreadable(name: str, place: int) -> None:
    for changed in change_each(CHATS[name], ODD[place]):
        values: Iterable[object] = [changed]
        for each in FORMATS:
            values = each.join(values)
        for value in values:
            read_or_refuse(value)


def read_or_refuse(value: object) -> None:
    with suppress(UnreadableConversationError):
        for past in read_conversations(value, with_branches=True):
            alternate(past, NOW)
