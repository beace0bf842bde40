"""Each form's JSON into one kind of conversation."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from shared.errors import UnreadableConversationError
from shared.user_data.imports.alternation import alternate
from shared.user_data.imports.conversation_reader import read_conversation
from shared.user_data.imports.json_stream import TooLarge
from shared.user_data.imports.past_conversation import PastConversation


def make_past(*messages: dict[str, Any], **fields: object) -> PastConversation:
    return read_conversation({"messages": list(messages)} | fields)


def user(content: object, **fields: object) -> dict[str, Any]:
    return {"role": "user", "content": content} | fields


def assistant(content: object, **fields: object) -> dict[str, Any]:
    return {"role": "assistant", "content": content} | fields


def node(parent: str | None, role: str | None, *parts: object, **fields: Any) -> dict[str, Any]:
    if role is None:
        return {"parent": parent, "children": [], "message": None}
    message = {"author": {"role": role}, "content": {"parts": list(parts)}} | fields
    return {"parent": parent, "children": [], "message": message}


def tree(current: str | None = "z", **nodes: dict[str, Any]) -> PastConversation:
    return read_conversation({"id": "t", "current_node": current, "mapping": nodes})


def contents(past: PastConversation) -> list[str]:
    return [utterance.content for utterance in past.utterances]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1709632800, datetime(2024, 3, 5, 10, tzinfo=UTC)),
        (1709632800.5, datetime(2024, 3, 5, 10, 0, 0, 500_000, tzinfo=UTC)),
        (1709632800000, datetime(2024, 3, 5, 10, tzinfo=UTC)),
        ("2024-03-05T10:00:00Z", datetime(2024, 3, 5, 10, tzinfo=UTC)),
        ("2024-03-05T12:00:00+02:00", datetime(2024, 3, 5, 10, tzinfo=UTC)),
        ("2024-03-05 10:00:00", datetime(2024, 3, 5, 10, tzinfo=UTC)),
        (None, None),
    ],
)
def test_times_are_read_in_every_usual_spelling(value: object, expected: datetime | None) -> None:
    assert make_past(user("x", created_at=value)).utterances[0].said_at == expected


@pytest.mark.parametrize(
    "value",
    ["yesterday", True, [], 1e300, float("nan"), "0000-01-01", 0, -1, 4102444800, "2199-01-01"],
)
def test_a_time_that_cannot_be_right_costs_that_time_alone(value: object) -> None:
    past = make_past(
        user("x", created_at=value), assistant("y", created_at=1709632800), created_at=0
    )
    assert [utterance.said_at for utterance in past.utterances] == [
        None,
        datetime(2024, 3, 5, 10, tzinfo=UTC),
    ]
    assert (past.created_at, past.left_out) == (None, {"time": 2})
    [first, _] = alternate(past, datetime.now(UTC))
    assert first.said_at == datetime(2024, 3, 5, 10, tzinfo=UTC)


def test_what_is_withheld_stays_so_without_a_time() -> None:
    assert make_past(user("x", withheld_at="some day")).utterances[0].withheld_at is not None


def test_system_tool_and_empty_messages_are_left_out_and_counted() -> None:
    past = make_past(
        {"role": "system", "content": "Be kind."},
        user("Hi"),
        {"role": "tool", "content": "42"},
        assistant("  "),
        assistant("Hello", trace={"facts": [1]}),
    )
    assert contents(past) == ["Hi", "Hello"]
    assert past.left_out == {"system": 1, "tool": 1, "empty": 1, "trace": 1}


def test_parts_are_joined_and_what_is_no_text_is_counted() -> None:
    past = make_past(user([{"type": "text", "text": "Look:"}, {"type": "image_url"}, "here"]))
    assert contents(past) == ["Look:\nhere"]
    assert past.left_out == {"attachment": 1}


def test_names_are_kept_where_several_speak_in_one_role() -> None:
    past = make_past(
        user("Hi", name="Ada"), assistant("Hello", name="Bot"), user("Me too", name="Charles")
    )
    assert contents(past) == ["Ada: Hi", "Hello", "Charles: Me too"]
    assert past.left_out == {}


def test_a_failed_reply_keeps_its_place() -> None:
    past = make_past(user("Hi"), assistant("", status="failed", error="no model"), user("Hi?"))
    assert [(utterance.content, utterance.status) for utterance in past.utterances] == [
        ("Hi", "complete"),
        ("", "failed"),
        ("Hi?", "complete"),
    ]


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "text",
        {},
        {"messages": {}},
        {"messages": [1]},
        {"messages": [{"content": "no role"}]},
        {"messages": [{"role": ["user"], "content": "x"}]},
        {"mapping": []},
        {"mapping": {"a": 1}},
        {"mapping": {"a": {"message": "x"}}, "current_node": "a"},
        TooLarge(),
    ],
)
def test_what_is_no_conversation_is_told(value: object) -> None:
    with pytest.raises(UnreadableConversationError):
        read_conversation(value)


def test_the_key_is_the_first_source_s_id_or_a_fingerprint_of_what_was_said() -> None:
    assert make_past(user("x"), id="a").source_key == "a"
    assert make_past(user("x"), source_key="first", conversation_id="b").source_key == "first"
    assert make_past(user("x"), source_key=None, conversation_id="b").source_key == "b"
    same, again, other = make_past(user("x")), make_past(user("x"), title="T"), make_past(user("y"))
    assert same.source_key == again.source_key != other.source_key
    assert make_past(user("x"), assistant("y")).source_key != make_past(user("xy")).source_key


def test_only_the_current_branch_is_followed() -> None:
    past = tree(
        root=node(None, None),
        a=node("root", "user", "First"),
        b=node("a", "assistant", "One answer"),
        z=node("a", "assistant", "Another answer"),
    )
    assert contents(past) == ["First", "Another answer"]
    assert past.left_out == {"other_branch": 1}


def test_without_a_current_node_the_newest_leaf_is_the_end() -> None:
    past = tree(
        None,
        a=node(None, "user", "First") | {"children": ["b", "c"]},
        b=node("a", "assistant", "Newest", create_time=9),
        c=node("a", "assistant", "Older", create_time=5),
    )
    assert contents(past) == ["First", "Newest"]


def test_tool_calls_hidden_messages_and_thoughts_are_left_out() -> None:
    past = tree(
        a=node(None, "system", "Be kind."),
        b=node("a", "user", "About me", metadata={"is_visually_hidden_from_conversation": True}),
        c=node("b", "user", "Plot this", {"content_type": "image_asset_pointer"}),
        d=node("c", "assistant", "plot()", recipient="python"),
        e=node("d", "tool", "done"),
        f=node("e", "assistant", content={"content_type": "thoughts", "thoughts": []}),
        z=node("f", "assistant", "Here.", recipient="all", metadata={"model_slug": "gpt-4"}),
    )
    assert contents(past) == ["Plot this", "Here."]
    assert past.utterances[1].model == "gpt-4"
    assert past.left_out == {"system": 1, "hidden": 2, "attachment": 1, "tool": 2}


def test_a_circle_is_told() -> None:
    with pytest.raises(UnreadableConversationError, match="circle"):
        tree(a=node("z", "user", "x"), z=node("a", "assistant", "y"))
