"""Which stored rounds a request repeats."""

from __future__ import annotations

import pytest

from shared.models import ConversationId
from shared.models.clients import StoredRound, StoredRun
from shared.policy.clients.client_messages import ClientRound
from shared.policy.clients.digests import chains_of, digest_asked
from shared.policy.clients.recognition import list_places

OWN = ConversationId("00000000-0000-4000-8000-000000000001")


def make_rounds(*words: tuple[str, str]) -> list[ClientRound]:
    return [
        ClientRound(
            request=({"role": "user", "content": question},),
            reply=({"role": "assistant", "content": reply},),
        )
        for question, reply in words
    ]


def stored(rounds: list[ClientRound]) -> StoredRun:
    return StoredRun(
        conversation_id=OWN,
        rounds=[
            StoredRound(
                sequence=2 * at,
                question=client_round.text,
                reply=client_round.reply_text,
                digest=digest_asked(client_round.request),
                chain=chain,
                calls=frozenset(),
                is_open=False,
            )
            for at, (client_round, chain) in enumerate(zip(rounds, chains_of(rounds), strict=True))
        ],
    )


def test_the_same_first_message_with_another_reply_is_another_conversation() -> None:
    run = stored(make_rounds(("Hi", "Hello, I am a bot.")))
    assert list_places(make_rounds(("Hi", "Good day to you.")), [run], is_named=False) == []


def test_a_resent_history_is_known_to_its_end() -> None:
    rounds = make_rounds(("Hi", "Hello."), ("How are you?", "Well."))
    place = list_places(rounds, [stored(rounds)], is_named=False)[0]
    assert (place.at, place.known, place.rounds, place.is_end) == (1, 2, 2, True)


@pytest.mark.parametrize("is_named", [True, False])
def test_the_end_of_a_long_history_of_equal_replies_is_found(is_named: bool) -> None:
    rounds = make_rounds(*((f"Question {at} of the long talk", "ok") for at in range(500)))
    whole = stored(rounds)
    run = StoredRun(conversation_id=OWN, rounds=whole.rounds[-30:])
    place = list_places(rounds, [run], is_named=is_named)[0]
    assert (place.at, place.known, place.chain) == (29, 500, whole.rounds[-1].chain)
