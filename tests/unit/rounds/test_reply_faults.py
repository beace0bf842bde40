"""What a user is told when a reply fails."""

from __future__ import annotations

import logging
from datetime import UTC, datetime

import pytest

from shared.errors import InputRefusedError, ModelRefusedError, ThroughlineError
from shared.models import Conversation, ConversationId, Message, OpenRound, UserId
from shared.rounds.reply_faults import UNFORESEEN, explain

NOW = datetime(2026, 1, 1, tzinfo=UTC)
OWN = ConversationId("0b6ce0a4-0000-4000-8000-000000000001")
SAID = "No credit is left on account 17."


@pytest.fixture
def open_round() -> OpenRound:
    """A round of Ada's."""
    conversation = Conversation(
        conversation_id=OWN,
        user_id=UserId("ada"),
        title=None,
        agent="general",
        mode="active",
        last_sequence=-1,
        created_at=NOW,
        updated_at=NOW,
        chat_id=OWN,
    )
    question = Message(
        conversation_id=OWN,
        sequence_number=0,
        role="user",
        content="Hello",
        status="complete",
        model=None,
        created_at=NOW,
        error=None,
    )
    return OpenRound(conversation=conversation, user_message=question, sequence=1, fencing_token=7)


def yes() -> bool:
    return True


def no() -> bool:
    return False


def never() -> bool:
    raise AssertionError("nobody has to know")


def told_error(error: ThroughlineError) -> ThroughlineError:
    error.provider_said = SAID
    return error


def test_what_a_provider_says_of_the_account_is_for_operators_only(open_round: OpenRound) -> None:
    refused = told_error(ModelRefusedError())
    assert SAID not in explain(refused, open_round, is_operator=no).message
    assert SAID in explain(refused, open_round, is_operator=yes).message


def test_what_a_provider_says_of_the_request_is_for_who_made_it(open_round: OpenRound) -> None:
    assert SAID in explain(told_error(InputRefusedError()), open_round, is_operator=never).message


def test_a_fault_of_which_the_provider_says_nothing_asks_for_no_operator(
    open_round: OpenRound,
) -> None:
    explain(ModelRefusedError(), open_round, is_operator=never)


def test_an_unforeseen_error_goes_to_the_log_and_not_to_the_user(
    open_round: OpenRound, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        fault = explain(ValueError(SAID), open_round, is_operator=never)
    assert fault == UNFORESEEN
    assert [record.message for record in caplog.records] == ["round.crashed"]
