"""Apply the real rules of policy to the stand-in's facts, without a database."""

from __future__ import annotations

from collections.abc import Sequence

from shared.llm.schemas import FactCandidate
from shared.models import ConversationId, Heard
from shared.offline.facts.plain_facts import find_facts
from shared.offline.prompt_parser import KnownFact, Utterance
from shared.policy.facts.candidates import Floors, check_candidates
from tests.unit.policy.facts.ledger import Ledger, instant

FLOORS = Floors(confidence=0.4, importance=0.2)


def tell(ledger: Ledger, turn: int, *texts: str) -> Ledger:
    """One extraction from `texts`, the first of which was said at `turn`."""
    known = [KnownFact(category=c, key=k, value=v) for (c, k), v in ledger.active.items()]
    heard = [_heard(turn + place, text) for place, text in enumerate(texts)]
    utterances = [
        Utterance(seq=h.sequence_number, role="user", at="", text=h.content) for h in heard
    ]
    candidates = [FactCandidate.model_validate(fact) for fact in find_facts(utterances, known)]
    ledger.hear_all(check_candidates(candidates, heard, ConversationId("c"), FLOORS))
    return ledger


def tell_apart(*texts: str) -> Ledger:
    """One extraction for each message."""
    ledger = Ledger()
    for turn, text in enumerate(texts, start=1):
        tell(ledger, turn, text)
    return ledger


def tell_at_once(*texts: str) -> Ledger:
    """One extraction for all messages, as after an import."""
    return tell(Ledger(), 1, *texts)


def holds(ledger: Ledger, words: str) -> bool:
    return any(words.casefold() in value.casefold() for value in ledger.active.values())


def is_read(ledger: Ledger, former: str, current: str | None) -> bool:
    """Whether the former value has ended, and the current one, if any, holds."""
    ended = [f for f in ledger.versions if former.casefold() in f.value.casefold() and f.valid_to]
    return bool(ended) and not holds(ledger, former) and (not current or holds(ledger, current))


def _heard(turn: int, text: str) -> Heard:
    return Heard(
        sequence_number=2 * turn, role="user", content=text, created_at=instant(turn), turn=turn
    )


def show(ledger: Ledger) -> Sequence[str]:
    """The active facts, for the message of a failing test."""
    return [f"{key} = {value}" for (_, key), value in ledger.active.items()]
