"""Utterances into rounds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.models import Role
from shared.user_data.imports.alternation import ASSISTANT_BEGINS, NO_REPLY, alternate, count_merged
from shared.user_data.imports.past_conversation import PastConversation, Utterance

NOW = datetime(2026, 1, 1, tzinfo=UTC)
THEN = datetime(2024, 3, 5, tzinfo=UTC)


def say(role: Role, content: str, said_at: datetime | None = None) -> Utterance:
    return Utterance(role=role, content=content, said_at=said_at)


def past(*utterances: Utterance, created_at: datetime | None = None) -> PastConversation:
    return PastConversation(
        source_key="k",
        own_ids=(),
        title=None,
        agent=None,
        mode="active",
        created_at=created_at,
        utterances=utterances,
    )


def test_what_alternates_is_left_as_it_is() -> None:
    utterances = (say("user", "a", THEN), say("assistant", "b", THEN + timedelta(minutes=1)))
    assert alternate(past(*utterances), NOW) == list(utterances)


def test_neighbours_in_one_role_become_one_message_at_the_first_ones_time() -> None:
    later = THEN + timedelta(hours=1)
    conversation = past(
        say("user", "a", THEN), say("user", "b", later), say("assistant", "c", later)
    )
    assert alternate(conversation, NOW) == [
        say("user", "a\n\nb", THEN),
        say("assistant", "c", later),
    ]
    assert count_merged(conversation.utterances) == 1


def test_an_assistant_that_begins_is_said_to_begin() -> None:
    first, second = alternate(past(say("assistant", "Welcome", THEN)), NOW)
    assert first == say("user", ASSISTANT_BEGINS, THEN)
    assert second.content == "Welcome"


def test_a_user_who_got_no_reply_can_try_again() -> None:
    _, reply = alternate(past(say("user", "Anyone?", THEN)), NOW)
    assert (reply.role, reply.status, reply.content) == ("assistant", "failed", "")
    assert (reply.error, reply.said_at) == (NO_REPLY, THEN)


def test_missing_times_are_those_of_the_message_before() -> None:
    utterances = (
        say("user", "a"),
        say("assistant", "b", THEN),
        say("user", "c"),
        say("assistant", "d"),
    )
    assert {utterance.said_at for utterance in alternate(past(*utterances), NOW)} == {THEN}
    early = THEN - timedelta(days=1)
    assert alternate(past(*utterances, created_at=early), NOW)[0].said_at == early
    assert alternate(past(say("user", "a")), NOW)[0].said_at == NOW


def test_of_nothing_comes_nothing() -> None:
    assert alternate(past(), NOW) == []


ROLES = st.sampled_from(["user", "assistant"])


@given(st.lists(st.tuples(ROLES, st.text(min_size=1, max_size=5)), min_size=1, max_size=12))
def test_rounds_always_alternate_and_lose_no_word(turns: list[tuple[Role, str]]) -> None:
    rounds = alternate(past(*(say(role, text) for role, text in turns)), NOW)
    assert [utterance.role for utterance in rounds] == ["user", "assistant"] * (len(rounds) // 2)
    assert all(utterance.said_at for utterance in rounds)
    spoken = [
        utterance.content
        for utterance in rounds
        if utterance.content and utterance.content != ASSISTANT_BEGINS
    ]
    assert "".join("".join(spoken).split("\n\n")) == "".join(
        "".join(text for _, text in turns).split("\n\n")
    )
