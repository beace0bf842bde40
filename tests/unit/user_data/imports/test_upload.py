"""Bytes into conversations."""

from __future__ import annotations

import io
import json

import pytest

from shared.errors import BrokenImportError, UnknownFormError
from shared.user_data.imports.json_stream import MAX_TEXT_BYTES, TooLarge
from shared.user_data.imports.outline import MAX_DEPTH, SECTIONS
from shared.user_data.imports.sections import Item, Limits
from shared.user_data.imports.upload import Upload

ONE = {"id": "1", "title": "A", "messages": [{"role": "user", "content": "Hi", "n": 1.5}]}
TWO = {"id": "2", "mapping": {"a": {"parent": None}}}


def read_all(document: object, limit: int = 10_000) -> list[Item]:
    text = document if isinstance(document, bytes) else json.dumps(document).encode()
    upload = Upload(lambda: iter([io.BytesIO(text)]), Limits(limit, limit))
    return [item for section in SECTIONS for item in upload.read(section)]


def split(document: object, limit: int = 10_000) -> list[object]:
    """The values of a document that has chats alone."""
    items = read_all(document, limit)
    assert {item.section for item in items} <= {"conversations", "branches"}
    return [item.value for item in items]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ([ONE, TWO], [ONE, TWO]),
        ({"users": [{"a": [1]}], "conversations": [ONE, TWO], "facts": [1]}, [ONE, TWO]),
        (ONE, [ONE]),
        (TWO, [TWO]),
        ([], []),
        ({"conversations": []}, []),
        ([1, "two", None], [1, "two", None]),
    ],
)  # fmt: skip
def test_each_form_gives_its_conversations(document: object, expected: list[object]) -> None:
    assert split(document) == expected


BRANCHES = [{"id": "1b", "messages": []}, {"id": "1c", "messages": []}]


@pytest.mark.parametrize(
    "chat",
    [
        ONE | {"branches": BRANCHES},
        {"branches": BRANCHES} | ONE,
        ONE | {"branches": BRANCHES, "messages_of_others": [{"branches": [1]}]},
    ],
)
def test_branches_inside_chats_come_behind_all_chats(chat: dict[str, object]) -> None:
    others = {name: value for name, value in chat.items() if name != "branches"}
    items = read_all({"conversations": [TWO, chat, TWO]})
    assert [item.value for item in items] == [TWO, others, TWO, *BRANCHES]
    assert [item.chat_index for item in items] == [None, None, None, 1, 1]


def test_each_branch_has_the_limit_for_itself() -> None:
    long = {"id": "long", "messages": ["x" * 500]}
    chat = {"id": "1", "messages": [], "branches": [long, {**long, "messages": ["x" * 5000]}]}
    assert split([chat, ONE], 2000) == [{"id": "1", "messages": []}, ONE, long, TooLarge()]


@pytest.mark.parametrize("branches", [1, None, {"a": [1]}, [], [1]])
def test_branches_of_another_form_are_no_harm(branches: object) -> None:
    values = split([ONE | {"branches": branches}, TWO])
    assert [value for value in values if value != 1] == [ONE, TWO]


@pytest.mark.parametrize(
    "document",
    [{}, {"a": [1]}, {"title": "T", "id": "1"}, b"1", b'"text"', b"null", b" " * 9 + b"1"],
)
def test_json_of_another_kind_is_called_unknown(document: object) -> None:
    with pytest.raises(UnknownFormError, match="Open WebUI"):
        split(document)


def test_a_byte_order_mark_is_no_harm() -> None:
    assert split(b"\xef\xbb\xbf" + json.dumps([ONE]).encode()) == [ONE]


@pytest.mark.parametrize(
    "text", [b"", b"   ", b"[1", b"[1,]", b"[1] 2", b"{'a': 1}", b"[\xff]", b"[NaN]"]
)
def test_broken_json_is_told(text: bytes) -> None:
    with pytest.raises(BrokenImportError):
        split(text)


@pytest.mark.parametrize("text", [b'{"format": "throughline-export", %s}', b"{%s}"])
def test_of_an_export_of_ours_no_object_may_have_a_key_twice(text: bytes) -> None:
    twice = text % b'"conversations": [{"messages": [], "title": "A", "title": "B"}]'
    if b"format" in text:
        with pytest.raises(BrokenImportError, match="a key twice"):
            read_all(twice)
    else:
        assert split(twice) == [{"messages": [], "title": "B"}]


def test_a_file_that_is_nested_without_end_is_refused() -> None:
    deep = b'{"a":' * (MAX_DEPTH + 1) + b"1" + b"}" * (MAX_DEPTH + 1)
    with pytest.raises(BrokenImportError, match="nested too deeply"):
        read_all(deep)


def test_one_that_is_too_large_is_passed_over_and_the_next_is_read() -> None:
    large = {"messages": [{"content": "x" * 100}] * 200}
    assert split([large, ONE]) == [TooLarge(), ONE]
    assert split({"messages": [{"content": "x" * 100}] * 200}) == [TooLarge()]


def test_nesting_without_end_is_too_large_and_harms_nothing() -> None:
    depth = 50_000
    assert split(b"[" + b"[" * depth + b"]" * depth + b", 1]") == [TooLarge(), 1]


def test_one_endless_text_is_not_held() -> None:
    with pytest.raises(BrokenImportError, match="too long"):
        split(b'["' + b"x" * (MAX_TEXT_BYTES * 2) + b'"]')


@pytest.mark.parametrize("form", [b'{"a": %s}', b'{"messages": %s}', b"[%s]", b"[1, -%s]"])
def test_a_number_of_thousands_of_digits_breaks_the_file(form: bytes) -> None:
    with pytest.raises(BrokenImportError):
        split(form % (b"9" * 5000))
