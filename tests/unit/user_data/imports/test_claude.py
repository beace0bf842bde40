"""Claude's conversations, in the form of its older and of its newer exports."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from shared.errors import UnreadableConversationError
from shared.user_data.imports.conversation_reader import read_conversation, read_conversations
from shared.user_data.imports.trees import MAX_ENDS, MAX_LOOKS

ROOT = "00000000-0000-4000-8000-000000000000"


def message(sender: str, text: str, minute: int = 0, **more: object) -> dict[str, Any]:
    at = f"2025-06-01T08:{minute:02}:00.123456Z"
    return {"uuid": f"m-{text}", "text": text, "sender": sender, "created_at": at} | more


def chat(*messages: dict[str, Any], **more: object) -> dict[str, Any]:
    about = {"uuid": "c-1", "name": "Rivers", "created_at": "2025-06-01T08:00:00Z"}
    return about | {"account": {"uuid": "a"}, "chat_messages": [*messages]} | more


def list_texts(conversation: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        (utterance.role, utterance.content)
        for utterance in read_conversation(conversation).utterances
    ]


def test_an_older_export_has_its_text_in_one_field() -> None:
    old = chat(message("human", "Which?", 1), message("assistant", "The Tagus.", 2))
    past = read_conversation(old)
    assert (past.source_key, past.title, past.own_ids) == ("c-1", "Rivers", ("c-1",))
    assert list_texts(old) == [("user", "Which?"), ("assistant", "The Tagus.")]
    assert past.created_at is not None
    assert past.utterances[1].said_at is not None
    assert past.utterances[1].said_at.minute == 2


def test_a_newer_one_has_parts_of_which_the_texts_are_taken() -> None:
    parts = [
        {"type": "thinking", "thinking": "Hm."},
        {"type": "text", "text": "Let me look.", "citations": []},
        {"type": "tool_use", "name": "web_search", "input": {}},
        {"type": "tool_result", "content": [{"type": "text", "text": "A page"}]},
        {"type": "text", "text": "The Douro."},
        {"type": "image"},
    ]
    answer = message("assistant", "Let me look. This block is not supported.", content=parts)
    new = chat(message("human", "Which?", content=[{"type": "text", "text": "Which one?"}]), answer)
    assert list_texts(new) == [("user", "Which one?"), ("assistant", "Let me look.\n\nThe Douro.")]
    assert read_conversation(new).left_out == {"tool": 2, "hidden": 1, "attachment": 1}


def test_files_without_their_text_are_named_and_counted() -> None:
    files: dict[str, Any] = {
        "attachments": [{"file_name": "a", "extracted_content": "x"}],
        "files": [{}, {"file_name": "photo.png"}],
    }
    past = read_conversation(chat(message("human", "See these", **files)))
    assert past.left_out == {"attachment": 2}
    [utterance] = past.utterances
    assert utterance.content == "See these\n\n[File: file]\n[File: photo.png]"
    assert [(file.name, file.text) for file in utterance.files] == [("a", "x")]


def tree() -> list[dict[str, Any]]:
    return [
        message("human", "A", 1, parent_message_uuid=ROOT),
        message("assistant", "B", 2, parent_message_uuid="m-A"),
        message("human", "C", 3, parent_message_uuid="m-B"),
        message("assistant", "D", 4, parent_message_uuid="m-C"),
        message("human", "E", 5, parent_message_uuid="m-B"),
        message("assistant", "F", 6, parent_message_uuid="m-E"),
    ]


def test_of_several_branches_the_newest_is_taken_or_the_named_one() -> None:
    assert [text for _, text in list_texts(chat(*tree()))] == ["A", "B", "E", "F"]
    assert read_conversation(chat(*tree())).left_out == {"other_branch": 2}
    export = chat(*tree(), current_leaf_message_uuid="m-D")
    assert [text for _, text in list_texts(export)] == ["A", "B", "C", "D"]


def test_other_branches_come_by_choice() -> None:
    messages = [*tree(), message("assistant", "G", 7, parent_message_uuid="m-E")]
    shown, branch = read_conversations(chat(*messages), with_branches=True)
    assert [utterance.content for utterance in shown.utterances] == ["A", "B", "E", "G"]
    assert [variant.content for variant in shown.utterances[3].variants] == ["F"]
    assert [utterance.content for utterance in branch.utterances] == ["A", "B", "C", "D"]
    assert shown.left_out == branch.left_out == {}
    flat = chat(message("human", "A"), message("assistant", "B"))
    assert len(read_conversations(flat, with_branches=True)) == 1


def test_of_very_many_branches_the_rest_is_counted() -> None:
    many = [
        message("human", f"E{number}", number, parent_message_uuid=ROOT)
        for number in range(MAX_ENDS + 20)
    ]
    shown, *branches = read_conversations(
        chat(message("human", "A", parent_message_uuid=many[0]["uuid"]), *many), with_branches=True
    )
    assert len(branches) < MAX_ENDS
    assert shown.left_out == {"other_branch": 20}


@pytest.mark.parametrize("piece", ["word", "word " * 100_000])
def test_what_a_long_chat_has_beside_is_bounded(piece: str) -> None:
    """A file must not be stored a hundred times over."""
    long = MAX_LOOKS // 10 if len(piece) < 10 else 10
    path = [message("human" if n % 2 == 0 else "assistant", f"{piece}{n}", n) for n in range(long)]
    for before, after in itertools.pairwise(path):
        after["parent_message_uuid"] = before["uuid"]
    ends = [
        message("human", f"End {n}", n, parent_message_uuid=path[-1]["uuid"]) for n in range(60)
    ]
    shown, *branches = read_conversations(chat(*path, *ends), with_branches=True)
    assert 0 < len(branches) <= 10
    assert shown.left_out["other_branch"] >= 50


@pytest.mark.parametrize("leaf", [["m-D"], {"uuid": "m-D"}, 4, "m-Z", "", None])
def test_a_name_of_no_message_names_no_branch(leaf: object) -> None:
    export = chat(*tree(), current_leaf_message_uuid=leaf)
    assert [text for _, text in list_texts(export)] == ["A", "B", "E", "F"]


@pytest.mark.parametrize(
    "messages",
    [
        {"0": "x"},
        ["x"],
        [message("model", "A")],
        [message("human", "A") | {"sender": ["human"]}],
        [message("human", "A") | {"sender": {}}],
        [message("human", "A", content="x")],
        [message("human", "A", files={})] * 2 + [message("human", "B", files="x")],
        [message("human", "A", parent_message_uuid="m-A")],
        [message("human", "A", parent_message_uuid="m-B"),
         message("assistant", "B", parent_message_uuid="m-A")],
    ],
)  # fmt: skip
def test_what_cannot_be_read_says_so(messages: object) -> None:
    with pytest.raises(UnreadableConversationError):
        read_conversation(chat() | {"chat_messages": messages})


def test_an_empty_chat_is_no_error() -> None:
    assert read_conversation(chat()).utterances == ()
    assert read_conversation(chat(message("human", " "))).left_out == {"empty": 1}
