"""Messages in the shapes that servers take."""

from __future__ import annotations

from typing import Any

import pytest

from shared.policy.message_shapes import join_turns, shape_messages


def say(role: str, content: Any, **fields: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **fields}


IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
CALL = [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]


def test_two_turns_of_one_role_are_joined_word_for_word() -> None:
    messages = [
        say("system", "S"),
        say("user", "One. "),
        say("user", "Two?"),
        say("assistant", "A"),
    ]
    assert join_turns(messages) == [
        say("system", "S"), say("user", "One. \n\nTwo?"), say("assistant", "A"),
    ]  # fmt: skip


def test_turns_around_an_emptied_reply_are_joined() -> None:
    messages = [say("user", "One."), say("assistant", ""), say("user", "Two.")]
    assert join_turns(messages) == [say("user", "One.\n\nTwo.")]


def test_an_image_stays_behind_the_words_before_it() -> None:
    seen = [{"type": "text", "text": "Look."}, IMAGE]
    [joined] = join_turns([say("user", "Hi."), say("user", seen)])
    assert joined["content"] == [{"type": "text", "text": "Hi."}, *seen]


def test_answers_of_tools_are_joined_with_nothing() -> None:
    messages = [
        say("assistant", None, tool_calls=CALL),
        say("tool", "1", tool_call_id="1"),
        say("tool", "2", tool_call_id="2"),
    ]
    assert join_turns(messages) == messages


@pytest.mark.parametrize(
    ("refused", "before", "after"),
    [
        ("system", "system:S user:U", "user:S\n\nU"),
        ("system", "developer:D assistant:A user:U", "user:D assistant:A user:U"),
        ("developer", "developer:D user:U", "system:D user:U"),
        ("roles", "system:S assistant:A user:U", "system:S user:U"),
        ("roles", "system:S system:T user:U", "system:S\n\nT user:U"),
        ("roles", "user:U assistant:A system:S user:V", "user:U assistant:A user:S\n\nV"),
        ("roles", "assistant:A", "assistant:A"),
        ("roles", "system:S", "system:S"),
    ],
)
def test_what_a_server_refuses_is_written_otherwise(refused: str, before: str, after: str) -> None:
    def read(text: str) -> list[dict[str, Any]]:
        return [say(*turn.split(":")) for turn in text.split(" ")]

    assert shape_messages(read(before), {refused}) == read(after)


def test_texts_in_parts_become_one_text_but_for_images() -> None:
    parts = [{"type": "text", "text": "One."}, {"type": "text", "text": "Two."}]
    messages = [say("system", parts), say("user", [*parts, IMAGE])]
    assert shape_messages(messages, {"parts"}) == [say("system", "One.\n\nTwo."), messages[1]]
