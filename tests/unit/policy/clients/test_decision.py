"""What a request is, beside the rounds that it repeats."""

from __future__ import annotations

from dataclasses import replace

from shared.models.clients import StoredRun
from shared.policy.clients.client_messages import read_history
from shared.policy.clients.decision import Append, decide
from shared.policy.clients.digests import digest_asked
from tests.unit.policy.clients.test_recognition import make_rounds, stored

TALK = [
    {"role": "user", "content": "Where did we leave the boat last summer?"},
    {"role": "assistant", "content": "In the harbour of Fernwhistle, under the blue sheet."},
]
UNANSWERED = {"role": "user", "content": "And the oars?"}


def run_with_an_unanswered_message() -> StoredRun:
    run = stored(make_rounds((TALK[0]["content"], TALK[1]["content"])))
    failed = replace(
        run.rounds[0],
        sequence=2,
        question=UNANSWERED["content"],
        reply="",
        digest=digest_asked([UNANSWERED]),
        chain=None,
    )
    return replace(run, rounds=[*run.rounds, failed])


def test_a_message_without_an_answer_is_not_stored_again_with_the_next_ones() -> None:
    more = [{"role": "user", "content": f"Hello {number}?"} for number in range(5_000)]
    decision = decide(read_history([*TALK, UNANSWERED, *more]), [run_with_an_unanswered_message()])
    assert isinstance(decision, Append)
    assert decision.request == tuple(more)


def test_other_messages_in_its_place_are_all_stored() -> None:
    more = [{"role": "user", "content": f"Hello {number}?"} for number in range(5_000)]
    decision = decide(read_history([*TALK, *more]), [run_with_an_unanswered_message()])
    assert isinstance(decision, Append)
    assert decision.request == tuple(more)
