"""Whatever JSON a file holds: it is read, or called unreadable."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.errors import UnreadableConversationError
from shared.user_data.imports.alternation import alternate
from shared.user_data.imports.conversation_reader import read_conversation
from shared.user_data.imports.past_facts import read_forgotten, read_slots
from tests.budgets import count_cases

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ODD = st.sampled_from(
    [None, True, 0, -1, 10**30, Decimal("1e400"), Decimal("NaN"), 1.5, "", "a", "x" * 500, "\x00",
     "\ud800", "2020-01-01", "2020-13-45T99", "user", "assistant", "system", "complete"]
)  # fmt: skip
ANY = st.recursive(
    ODD,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["text", "parts", "role", "a"]), inner, max_size=3)
    ),
    max_leaves=6,
)


def with_odd(**plain: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Objects with these fields, some of which are missing or hold anything at all."""
    fields = {name: value | ANY if name != "mapping" else value for name, value in plain.items()}
    return st.fixed_dictionaries({}, optional=fields)


ROLES = st.sampled_from(["user", "assistant"])
OWN_MESSAGE = with_odd(
    role=ROLES, content=st.just("Hello"), created_at=st.just(1.5e9), name=st.just("Ann"),
    status=st.just("streaming"), finish_reason=st.just("stop"), error=st.just("no"),
)  # fmt: skip
NODE_ID = st.sampled_from("abc")
THEIR_MESSAGE = with_odd(
    author=with_odd(role=ROLES), content=with_odd(parts=st.just(["Hello"])), recipient=st.none(),
    metadata=with_odd(model_slug=st.just("m")), create_time=st.just(1.5e9),
)  # fmt: skip
NODE = with_odd(
    parent=NODE_ID, children=st.lists(NODE_ID, max_size=2), message=THEIR_MESSAGE
)  # fmt: skip
LABELS = {"id": st.just("1"), "title": st.just("t"), "mode": st.just("off")}
CONVERSATIONS = (
    with_odd(messages=st.lists(OWN_MESSAGE | ANY, max_size=4), **LABELS)
    | with_odd(
        mapping=st.dictionaries(NODE_ID, NODE | ANY, max_size=3), current_node=NODE_ID, **LABELS
    )
    | ANY
)


@settings(max_examples=count_cases(200))
@given(CONVERSATIONS)
def test_any_conversation_is_read_or_called_unreadable(value: object) -> None:
    with suppress(UnreadableConversationError):
        alternate(read_conversation(value), NOW)


def nested() -> object:
    """As deep as one conversation may be: whoever writes it as text has no stack left."""
    value: object = []
    for _ in range(100_000):
        value = [value]
    return value


DEEP = nested()


def test_facts_that_are_nested_without_end_are_left_out() -> None:
    fact = {
        "category": "identity", "key": "name", "value": "Ada", "confidence": 1, "importance": 1,
        "valid_from": "2024-01-01", "valid_to": None, "fingerprint": "0" * 64,
        "said_until": "2024-01-01", "forgotten_at": "2024-01-01",
    }  # fmt: skip
    assert read_slots([fact]) != [None]
    for key in ("category", "key", "value", "confidence", "importance", "valid_from", "valid_to"):
        assert read_slots([fact | {key: DEEP}]) == [None]
    assert len(read_forgotten([fact])) == 1
    for key in ("category", "key", "fingerprint", "said_until", "forgotten_at"):
        assert read_forgotten([fact | {key: DEEP}]) == []


def test_a_message_that_is_none_is_called_unreadable_where_no_end_is_named() -> None:
    nodes = {"a": {"message": "Hello"}, "b": {"message": 5}}
    with suppress(UnreadableConversationError):
        read_conversation({"mapping": nodes})
        raise AssertionError("It was read.")
