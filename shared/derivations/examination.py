"""The examination of a model: sixty short notes, put to it as memory asks for facts.

Some are traps: other owners, other times, quotations, jokes, suppositions, denials and wishes to
forget. The answer goes the way of all answers, with the model's word taken.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib import resources
from typing import Any

from shared.derivations.request import memory_request, with_input
from shared.errors import EmptyAnswerError, InputRefusedError, ModelOutputError
from shared.llm import ask_json
from shared.llm.schemas import FactsAnswer
from shared.models import Category, Heard
from shared.models.site_models import MOST_WRONG, Examination
from shared.policy.facts.screen import Screened, screen
from shared.policy.folding import fold
from shared.policy.transcript import render_facts_input
from shared.settings import Settings

#: The notes are said on a day of their own, so that the prompt is the same each time.
SAID_AT = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class KnownFact:
    category: Category
    key: str
    value: str


@dataclass(frozen=True, kw_only=True)
class Note:
    """A message, and what may be made of it."""

    message: str
    known: tuple[KnownFact, ...] = ()
    #: Words of facts that must not be believed.
    trap: tuple[str, ...] = ()
    #: Values that must be.
    plain: tuple[str, ...] = ()
    #: The key on record that must not end.
    lasting_key: str = ""

    @property
    def is_trap(self) -> bool:
        return not self.plain

    def is_failed(self, screened: Screened) -> bool:
        """Whether a trap was believed, or a plain statement lost."""
        values = [fold(fact.value) for fact in screened.stated if not fact.retracts]
        if self.plain:
            return not all(any(fold(word) in value for value in values) for word in self.plain)
        ends = self.lasting_key and any(fact.retracts for fact in screened.stated)
        return bool(ends) or any(fold(word) in value for word in self.trap for value in values)


@functools.cache
def list_notes() -> Sequence[Note]:
    text = resources.files(__package__).joinpath("examination.toml").read_text(encoding="utf-8")
    return [_read_note(table) for table in tomllib.loads(text)["notes"]]


def _read_note(table: dict[str, Any]) -> Note:
    known = tuple(
        KnownFact(category=category, key=key, value=value)
        for category, key, value in table.get("known", ())
    )
    return Note(
        message=table["message"],
        known=known,
        trap=tuple(table.get("trap", ())),
        plain=tuple(table.get("plain", ())),
        lasting_key=table.get("lasting_key", ""),
    )


def ask_next(examination: Examination, model: str, settings: Settings) -> Examination:
    """Put the next note to the model. Raises what `complete` raises.

    An answer that cannot be read believes nothing. It is over when all are asked, or when too many
    have gone wrong already.
    """
    note = list_notes()[examination.asked_count]
    is_failed = note.is_failed(_ask(note, model, settings))
    traps, plain = (examination.traps + note.is_trap, examination.plain + (not note.is_trap))
    done = replace(
        examination,
        asked_count=examination.asked_count + 1,
        traps=traps,
        plain=plain,
        believed=examination.believed + (is_failed and note.is_trap),
        lost=examination.lost + (is_failed and not note.is_trap),
    )
    return replace(done, is_done=done.asked_count == len(list_notes()) or _is_hopeless(done))


def _ask(note: Note, model: str, settings: Settings) -> Screened:
    heard = [
        Heard(
            sequence_number=0, role="user", content=note.message, created_at=SAID_AT, turn=1
        )
    ]  # fmt: skip
    request = replace(memory_request("facts", settings), model=model)
    request = with_input(request, render_facts_input(note.known, heard))
    alone = settings.model_copy(update={"llm_fallbacks": ()})
    try:
        answer, _ = ask_json(request, FactsAnswer, alone)
    except (ModelOutputError, InputRefusedError, EmptyAnswerError):
        return screen([], heard, note.known, is_trusted=True)
    return screen(answer.facts, heard, note.known, is_trusted=True)


def _is_hopeless(examination: Examination) -> bool:
    """Whether more went wrong already than may in all."""
    trap_count = sum(note.is_trap for note in list_notes())
    plain_count = len(list_notes()) - trap_count
    return (
        examination.believed > MOST_WRONG * trap_count
        or examination.lost > MOST_WRONG * plain_count
    )
