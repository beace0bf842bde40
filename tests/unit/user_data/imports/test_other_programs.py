"""Exports of Open WebUI, LibreChat, Chatbot UI and Gemini, and our own chats as Markdown."""

from __future__ import annotations

import io
import json

import pytest

from shared.errors import UnknownFormError, UnreadableConversationError
from shared.user_data.imports.conversation_reader import read_conversation, read_conversations
from shared.user_data.imports.past_conversation import PastConversation
from shared.user_data.imports.sections import Limits
from shared.user_data.imports.upload import Upload

ASKED_AT, ANSWERED_AT = 1744577557, 1744577560


def read(document: object) -> list[PastConversation]:
    file = document if isinstance(document, bytes) else json.dumps(document).encode()
    upload = Upload(lambda: iter([io.BytesIO(file)]), Limits())
    return [read_conversation(item.value) for item in upload.read("conversations")]


def lines(past: PastConversation) -> list[tuple[str, str, str | None]]:
    """Role, text and the time of day."""
    return [
        (
            utterance.role,
            utterance.content,
            f"{utterance.said_at:%H:%M:%S}" if utterance.said_at else None,
        )
        for utterance in past.utterances
    ]


def web_ui_history() -> dict[str, object]:
    """A question with two answers, of which the second is shown."""
    question = {"parentId": None, "role": "user", "content": "Which?", "timestamp": ASKED_AT,
                "files": [{"name": "map.pdf"}, {"file": {"filename": "list.csv"}}]}  # fmt: skip
    first = {"parentId": "q", "role": "assistant", "content": "Oslo.", "timestamp": ANSWERED_AT}
    second = first | {"content": "Porto.", "model": "m"}
    return {"currentId": "b", "messages": {"q": question, "a": first, "b": second}}


SHOWN = [("user", "Which?\n\n[File: map.pdf]\n[File: list.csv]", "20:52:37"),
         ("assistant", "Porto.", "20:52:40")]  # fmt: skip


def test_all_chats_of_open_webui() -> None:
    chat = {"title": "Inner", "messages": [], "history": web_ui_history()}
    [past] = read([
        {"id": "ow", "title": "Trip", "chat": chat, "created_at": ASKED_AT, "pinned": True,
         "archived": True, "folder_id": None},
    ])  # fmt: skip
    assert (past.source_key, past.title, past.is_pinned, past.is_archived) == (
        "ow", "Trip", True, True,
    )  # fmt: skip
    assert lines(past) == SHOWN
    assert past.utterances[1].model == "m"
    assert past.left_out == {"other_branch": 1, "attachment": 2}


def test_what_open_webui_no_longer_shows_comes_by_choice() -> None:
    chat = {"id": "ow", "title": "Trip", "history": web_ui_history()}
    [past] = read_conversations(chat, with_branches=True)
    assert lines(past) == SHOWN
    assert [variant.content for variant in past.utterances[1].variants] == ["Oslo."]
    assert past.left_out == {"attachment": 2}


def test_one_chat_of_open_webui() -> None:
    [past] = read({"title": "Trip", "models": ["m"], "history": web_ui_history(), "messages": []})
    assert (past.title, lines(past)) == ("Trip", SHOWN)
    message = {"role": "user", "content": "Hi", "timestamp": ASKED_AT}
    [plain] = read({"title": "T", "history": {"messages": {}}, "messages": [message]})
    assert lines(plain) == [("user", "Hi", "20:52:37")]


def libre_message(
    message_id: str, parent: str, text: str, minute: int, **more: object
) -> dict[str, object]:
    at = f"2024-04-09T14:{minute:02}:05.230Z"
    return {"messageId": message_id, "parentMessageId": parent, "text": text, "createdAt": at,
            "isCreatedByUser": text.endswith("?"), "sender": "x"} | more  # fmt: skip


def test_a_chat_of_librechat_as_a_tree_and_as_a_list() -> None:
    root = "00000000-0000-0000-0000-000000000000"
    old = libre_message("b", "a", "Oslo.", 1)
    new = libre_message("c", "a", "", 2, model="m", content=[
        {"type": "think", "think": "Hm."}, {"type": "text", "text": {"value": "Porto."}},
        {"type": "tool_call", "tool_call": {}},
    ])  # fmt: skip
    question = libre_message("a", root, "Which?", 0, files=[{"filename": "map.pdf"}])
    tree = {
        "conversationId": "lc",
        "title": "Trip",
        "messages": [question | {"children": [old, new]}],
    }
    flat = {"conversationId": "lc", "title": "Trip", "messages": [question, old, new]}
    for document in (tree, flat):
        [past] = read(document)
        assert (past.source_key, past.title) == ("lc", "Trip")
        assert lines(past) == [
            ("user", "Which?\n\n[File: map.pdf]", "14:00:05"),
            ("assistant", "Porto.", "14:02:05"),
        ]
        assert past.left_out == {"attachment": 1, "hidden": 1, "tool": 1, "other_branch": 1}


def test_what_librechat_no_longer_shows_comes_by_choice() -> None:
    messages = [
        libre_message("a", "", "Which?", 0),
        libre_message("b", "a", "Oslo.", 1),
        libre_message("c", "b", "Why?", 2),
        libre_message("d", "c", "Fjords.", 3),
        libre_message("e", "a", "Porto.", 4),
    ]
    chat = {"conversationId": "lc", "title": "Trip", "messages": messages}
    shown, branch = read_conversations(chat, with_branches=True)
    assert [text for _, text, _ in lines(shown)] == ["Which?", "Porto."]
    assert [text for _, text, _ in lines(branch)] == ["Which?", "Oslo.", "Why?", "Fjords."]
    assert (branch.source_key, branch.own_ids, branch.title) == ("lc#d", (), "Trip")
    assert branch.branch is not None
    assert (branch.branch.source_key, branch.branch.at) == ("lc", 1)


def test_chats_of_chatbot_ui() -> None:
    messages = [{"role": "user", "content": "Q"}, {"role": "assistant", "content": "A"}]
    [past] = read({"version": 4, "history": [{"id": 1, "name": "C", "messages": messages}]})
    assert (past.title, lines(past)) == ("C", [("user", "Q", None), ("assistant", "A", None)])


def activity(title: str, time: str, *html: str) -> dict[str, object]:
    entry = {"header": "Gemini Apps", "title": title, "time": time, "products": ["Gemini Apps"]}
    return entry | ({"safeHtmlItem": [{"html": fragment} for fragment in html]} if html else {})


def test_gemini_s_activity_becomes_a_chat_a_day() -> None:
    days = read([
        activity("Prompted And then?", "2025-05-02T09:00:00.000Z", "<p>Rest &amp; sleep.</p>"),
        activity("Prompted Lists", "2025-05-01T11:00:00Z", "<ul><li>One</li><li>Two</li></ul>"),
        activity("Gave feedback: Good response", "2025-05-01T10:30:00Z"),
        activity("Prompted What?", "2025-05-01T10:00:00Z", "<p>A<br>B</p><script>x()</script>"),
    ])  # fmt: skip
    assert [(day.title, day.source_key) for day in days] == [
        ("Gemini, 2025-05-02", "gemini 2025-05-02T09:00:00.000Z"),
        ("Gemini, 2025-05-01", "gemini 2025-05-01T10:00:00Z"),
    ]
    assert lines(days[0]) == [
        ("user", "And then?", "09:00:00"), ("assistant", "Rest & sleep.", "09:00:00"),
    ]  # fmt: skip
    assert [text for _, text, _ in lines(days[1])] == ["What?", "A\nB", "Lists", "- One\n- Two"]
    assert days[1].left_out == {"activity": 1}


def test_our_own_chat_as_markdown() -> None:
    text = (
        "\ufeff# A trip\r\n\n*Exported.*\n\n## Du, 2024-03-05 10:00 UTC\n\nWhere to?\n"
        "\n## Throughline, 2024-03-05 10:01 UTC\n\n## Lisbon\n\nBy train.\n"
    )
    [past] = read(text.encode())
    assert past.title == "A trip"
    assert lines(past) == [
        ("user", "Where to?", "10:00:00"), ("assistant", "## Lisbon\n\nBy train.", "10:01:00"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "file",
    [b"# Notes\n\n## Monday\n", b"\xff\xd8\xff\xe0\x00\x10", b"<html></html>", b"Once upon",
     b"#\xff", b'{"a": 1}'],
)  # fmt: skip
def test_other_files_are_called_unknown(file: bytes) -> None:
    with pytest.raises(UnknownFormError, match="LibreChat"):
        read(file)


@pytest.mark.parametrize(
    "value",
    [{"chat": 1}, {"chat": {}}, {"history": {"messages": {"a": 1}}}, {"conversationId": 1},
     {"chat": {"history": {"messages": {"a": {"parentId": "a", "role": "user"}}}}},
     {"conversationId": "x", "messages": [{"children": 1}]}, {"activity": 1}],
)  # fmt: skip
def test_odd_values_are_told(value: object) -> None:
    with pytest.raises(UnreadableConversationError):
        read_conversation(value)
