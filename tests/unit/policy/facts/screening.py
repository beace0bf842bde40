"""Screens one proposal against messages; the outcome is one word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from shared.models import Category
from shared.policy.facts.proposals import Manner, Owner, Tense
from shared.policy.facts.screen import Screened, screen
from tests.unit.policy.facts.test_batch import heard


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A fact as a model gives it, or as it is on record."""

    category: Category = "identity"
    key: str = "home_city"
    value: str = "Rome"
    confidence: float = 1.0
    importance: float = 0.8
    seq: int = 0
    retracts: bool = False
    quote: str = ""
    whose: Owner = "user"
    how: Manner = "stated"
    when: Tense = "now"
    keep: bool = True
    until: date | None = None


def screened(
    proposal: Proposal,
    *texts: str,
    known: Sequence[Proposal] = (),
    is_imported: bool = False,
    is_trusted: bool = True,
) -> Screened:
    messages = [replace(message, is_imported=is_imported) for message in heard(*texts)]
    return screen([proposal], messages, known, is_trusted=is_trusted)


def fate(
    proposal: Proposal, *texts: str, known: Sequence[Proposal] = (), is_trusted: bool = True
) -> str:
    """`stated`, `doubtful`, or why it was refused."""
    outcome = screened(proposal, *texts, known=known, is_trusted=is_trusted)
    if outcome.stated:
        return "stated"
    return "doubtful" if outcome.doubtful else next(iter(outcome.refused))
