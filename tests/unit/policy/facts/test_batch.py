"""How much one call reads."""

from __future__ import annotations

from shared.models import Heard
from shared.policy.facts import batch
from shared.policy.facts.batch import take_batch, take_known
from tests.unit.policy.facts.ledger import Ledger, candidate, instant, numbered


def heard(*texts: str) -> list[Heard]:
    return [
        Heard(
            sequence_number=2 * number,
            role="user",
            content=text,
            created_at=instant(number),
            turn=number,
        )
        for number, text in enumerate(texts)
    ]


def test_a_burst_is_one_batch_without_its_small_talk() -> None:
    result = take_batch(heard("I am Ada.", "ok", "I live in Rome.", "thanks"), end=6)
    assert [m.sequence_number for m in result.messages] == [0, 4]
    assert result.end == 6


def test_small_talk_alone_is_read_without_a_model() -> None:
    result = take_batch(heard("ok", "👍"), end=2)
    assert (result.messages, result.end) == ((), 2)


def test_more_than_fits_is_left_for_the_next_claim() -> None:
    result = take_batch(heard(*["I am Ada."] * (batch.MAX_MESSAGES + 5)), end=56)
    assert len(result.messages) == batch.MAX_MESSAGES
    assert result.end == result.messages[-1].sequence_number


def test_long_messages_are_cut_in_the_middle_and_bounded_together() -> None:
    long = "I am Ada. " + "x" * 50_000 + " I live in Rome."
    result = take_batch(heard(*[long] * 5), end=8)
    assert sum(len(m.content) for m in result.messages) <= batch.MAX_CHARS
    first = result.messages[0].content
    assert first.startswith("I am Ada. ")
    assert first.endswith(" I live in Rome.")
    assert result.end < 8


def test_a_batch_is_fitted_to_a_smaller_model() -> None:
    result = take_batch(heard("I am Ada.", "x" * 5000, "I live in Rome."), end=4)
    fitted = result.fitted(200, lambda message: len(message.content))
    assert (len(fitted.messages), fitted.end) == (1, 0)
    second = take_batch(heard("x" * 5000), end=0).fitted(200, lambda m: len(m.content))
    assert len(second.messages[0].content) <= 200
    assert result.fitted(9000, lambda message: len(message.content)) == result


def test_a_half_ends_with_its_last_message() -> None:
    half = take_batch(heard("I am A.", "I am B.", "I am C.", "I am D."), end=6).first_half()
    assert ([m.sequence_number for m in half.messages], half.end) == ([0, 2], 2)


def test_known_facts_are_bounded_in_number_and_length() -> None:
    ledger = Ledger()
    ledger.hear(*numbered([candidate("x" * 400, key=f"key {n}") for n in range(60)]))
    assert len(take_known(ledger.versions, heard("Is the key mine?"))) == 9


def test_the_model_is_shown_the_known_facts_that_a_message_may_be_about() -> None:
    ledger = Ledger()
    ledger.hear(
        candidate("Skoda", key="car"),
        candidate("Biscuit", key="dog_name"),
        candidate("北京", key="home_city"),
    )
    assert [fact.key for fact in take_known(ledger.versions, heard("I sold my Skoda"))] == ["car"]
    assert [fact.key for fact in take_known(ledger.versions, heard("我搬离北京了"))] == [
        "home_city"
    ]
    assert take_known(ledger.versions, heard("Good morning")) == []
    short = Ledger()
    short.hear(*numbered([candidate("x", key=f"key_{n}") for n in range(60)]))
    assert len(take_known(short.versions, heard("key"))) == batch.MAX_KNOWN
