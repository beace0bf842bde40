"""Canvas documents, artifacts and citations: what programs keep beside the text of a chat."""

from __future__ import annotations

import json
from typing import Any

import pytest

from shared.user_data.imports import artifacts
from shared.user_data.imports.conversation_reader import read_conversation
from shared.user_data.imports.past_conversation import PastConversation


def chatgpt(*messages: dict[str, Any]) -> PastConversation:
    """A branch of a question and then these messages."""
    question = {"author": {"role": "user"}, "content": {"parts": ["Write it"]}}
    mapping = {
        f"n{place}": {"parent": f"n{place - 1}" if place else None, "message": message}
        for place, message in enumerate([question, *messages])
    }
    return read_conversation({"id": "c", "mapping": mapping})


def call(tool: str, arguments: object) -> dict[str, Any]:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"author": {"role": "assistant"}, "recipient": f"canmore.{tool}",
            "content": {"content_type": "code", "text": text}}  # fmt: skip


def reply(text: str, **metadata: object) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [text]}
    return {"author": {"role": "assistant"}, "content": content, "metadata": metadata}


def claude(*inputs: dict[str, Any]) -> PastConversation:
    parts = [
        {"type": "tool_use", "name": "artifacts", "input": tool_input} for tool_input in inputs
    ]
    parts.append({"type": "tool_result", "name": "artifacts", "content": []})
    parts.append({"type": "text", "text": "Done."})
    messages = [{"sender": "human", "text": "Write"}, {"sender": "assistant", "content": parts}]
    return read_conversation({"uuid": "c", "chat_messages": messages})


def said_by_assistant(past: PastConversation) -> list[str]:
    return [utterance.content for utterance in past.utterances if utterance.role == "assistant"]


def test_a_canvas_document_is_kept_with_its_versions() -> None:
    past = chatgpt(
        call("create_textdoc", {"name": "Essay", "type": "document", "content": "A (old) b."}),
        {"author": {"role": "tool"}, "content": {"parts": ["Created"]}},
        call("update_textdoc", {"updates": [
            {"pattern": r"\(old\)", "multiple": False, "replacement": "always"}]}),
        call("update_textdoc", {"updates": [{"pattern": ".*", "replacement": "Dogs run."}]}),
        reply("There it is."),
    )  # fmt: skip
    assert said_by_assistant(past) == [
        "**Essay**\n\nA (old) b.", "**Essay**\n\nA always b.",
        "**Essay**\n\nDogs run.", "There it is.",
    ]  # fmt: skip
    assert past.left_out == {"tool": 1}


def test_changes_that_would_make_a_canvas_grow_without_end_are_left_out() -> None:
    grow = {"pattern": "a", "multiple": True, "replacement": "a" * 1000}
    past = chatgpt(
        call("create_textdoc", {"name": "", "type": "document", "content": "a" * 1000}),
        call("update_textdoc", {"updates": [grow] * 50}),
        call("update_textdoc", {"updates": [{"pattern": ".*", "replacement": "b"}] * 500}),
        reply("Well."),
    )
    assert said_by_assistant(past) == ["a" * 1000, "Well."]
    assert past.left_out == {"tool": 2}


def test_code_in_a_canvas_is_a_block_of_code() -> None:
    past = chatgpt(
        call("create_textdoc", {"name": "", "type": "code/python", "content": "a = '```'"})
    )
    assert said_by_assistant(past) == ["````python\na = '```'\n````"]


@pytest.mark.parametrize(
    "arguments",
    ["no JSON", "[" * 100_000, "[]", {"content": ""}, {"content": ["x"]}, {"name": 1}],
)
def test_odd_calls_of_a_canvas_are_left_out_and_counted(arguments: object) -> None:
    for tool in ("create_textdoc", "update_textdoc", "comment_textdoc"):
        past = chatgpt(call(tool, arguments), reply("Well."))
        assert (said_by_assistant(past), past.left_out) == (["Well."], {"tool": 1})


def test_artifacts_are_kept_with_their_versions() -> None:
    past = claude(
        {"id": "p", "command": "create", "type": "text/markdown", "title": "Poem",
         "content": "Red."},
        {"id": "p", "command": "update", "old_str": "Red", "new_str": "Blue"},
        {"id": "q", "command": "create", "type": "application/vnd.ant.code", "language": "go",
         "content": "x"},
        {"id": "p", "command": "rewrite", "content": "Green."},
    )  # fmt: skip
    assert said_by_assistant(past) == [
        "**Poem**\n\nRed.\n\n**Poem**\n\nBlue.\n\n```go\nx\n```\n\n**Poem**\n\nGreen.\n\nDone."
    ]
    assert past.left_out == {}


def test_what_changes_nothing_or_is_too_much_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(artifacts, "MAX_CHARS", 10)
    past = claude(
        {"id": "z", "command": "update", "old_str": "a", "new_str": "b"},
        {"id": "p", "command": "create", "content": "123456"},
        {"id": "p", "command": "rewrite", "content": "1234567"},
        {"command": ["x"]},
    )
    assert said_by_assistant(past) == ["123456\n\nDone."]
    assert past.left_out == {"tool": 3}


def test_a_file_that_claude_names_twice_is_there_once() -> None:
    message = {"sender": "human", "text": "See",
               "files": [{"file_name": "a.txt"}, {"file_name": "b"}],
               "attachments": [{"file_name": "a.txt", "extracted_content": "Text"}]}  # fmt: skip
    [utterance] = read_conversation({"chat_messages": [message]}).utterances
    assert (utterance.content, [file.name for file in utterance.files]) == (
        "See\n\n[File: b]",
        ["a.txt"],
    )


def test_citations_become_links_or_go() -> None:
    cite, list_, other = (f"\ue200{kind}\ue202turn0\ue201" for kind in ("cite", "navlist", "x"))
    references = [
        {"matched_text": cite, "alt": "([Site](https://example.org))"},
        {"matched_text": list_, "items": [{"url": "https://a.example", "title": "A"}, {}, 3]},
        {"matched_text": " ", "alt": "nothing"}, 7,
    ]  # fmt: skip
    entity = '\ue200entity\ue202["city","Paris","x"]\ue201'
    text = f"\ue203See\ue204 {cite} {list_} in {entity} {other} and 【4†source】.\n\n{other}"
    past = chatgpt(reply(text, content_references=references))
    assert said_by_assistant(past) == [
        "See ([Site](https://example.org)) [A](https://a.example) in Paris and."
    ]


@pytest.mark.parametrize("references", [None, 1, [{}], [{"matched_text": [], "items": 1}]])
def test_without_references_the_marks_go(references: object) -> None:
    marks = "A \ue200cite\ue202turn0\ue201 b \ue200entity\ue202[1\ue201 \ue200"
    past = chatgpt(reply(marks, content_references=references))
    assert said_by_assistant(past) == ["A b"]
