"""Addresses: what is written is read, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import InvalidRequestError
from shared.models import ConversationId
from web.mcp.uris import (
    MAX_ID,
    MAX_SEQUENCE,
    Numbered,
    Spoken,
    episode_uri,
    fact_uri,
    message_uri,
    read_fact_uri,
    read_uri,
)

OWN = ConversationId("6f1f7a52-6c5e-4b0a-9d0e-3a1f3f0c2b11")


@given(st.integers(0, MAX_ID))
def test_numbered_addresses_are_read_as_written(number: int) -> None:
    assert read_uri(fact_uri(number)) == Numbered("facts", number)
    assert read_uri(episode_uri(number)) == Numbered("episodes", number)
    assert read_fact_uri(fact_uri(number)) == number


@given(st.integers(0, MAX_SEQUENCE))
def test_addresses_of_messages_are_read_as_written(sequence: int) -> None:
    assert read_uri(message_uri(OWN, sequence)) == Spoken(OWN, sequence)


@pytest.mark.parametrize(
    "uri",
    [
        "", "throughline://", "throughline://facts/", "throughline://facts/-1",
        "throughline://facts/1/", "throughline://facts/1?x", " throughline://facts/1",
        "throughline://facts/1\n", "throughline://facts/٣", "throughline://facts/0x1",
        f"throughline://facts/{MAX_ID + 1}", "throughline://facts/" + "1" * 40,
        "THROUGHLINE://facts/1", "throughline://FACTS/1", "throughline://messages/1",
        f"throughline://conversations/{OWN}/messages/{MAX_SEQUENCE + 1}",
        f"throughline://conversations/{OWN}/messages/-1",
        f"throughline://conversations/{'-' * 36}/messages/1",
        "throughline://conversations/../messages/1",
    ],
)  # fmt: skip
def test_nothing_else_is_an_address(uri: str) -> None:
    with pytest.raises(InvalidRequestError):
        read_uri(uri)


@given(st.text())
def test_no_text_breaks_the_reading(text: str) -> None:
    with pytest.raises(InvalidRequestError):
        read_uri(f"throughline:{text}:")
