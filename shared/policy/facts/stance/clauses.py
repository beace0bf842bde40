"""A message as clauses, each with what the ones before it in its sentence say of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from shared.policy.facts.stance.marks import Marks, plain, recognise

#: Whom a clause is about; `open` where nothing in it tells.
Subject = Literal["own", "other", "open"]

_ABBREVIATION = r"(?<!\b[dm]r)(?<!\bmrs)(?<!\bms)(?<!\bst)(?<!\bca)(?<!\bbzw)(?<!\b[a-z])"
_END = re.compile(rf"{_ABBREVIATION}\.+(?!\w)|[!?。！？؟।\n]+|(?<=\d)\.(?=\s|$)")
_QUESTION = re.compile(r"[?？؟]")


@dataclass(frozen=True, kw_only=True)
class Clause:
    """`text` is plain: lower case, with accents. What it lacks it has from the clause before."""

    text: str
    marks: tuple[Marks, ...]
    subject: Subject
    #: The subject is taken over from the sentence before: likely, not certain.
    subject_is_guessed: bool
    is_asked: bool
    #: The clause before, where that denies something and goes on in this one.
    denial: str
    is_imagined: bool
    #: An "if" stands earlier in its sentence.
    is_conditional: bool


def read_clauses(text: str) -> tuple[Clause, ...]:
    """In order. The language is the sentence's own where that tells, else the message's."""
    whole = recognise(plain(text))
    found: list[Clause] = []
    for sentence, is_question in _split_sentences(plain(text)):
        marks = recognise(sentence) or whole
        found += _read_sentence(sentence, marks, is_question, found[-1] if found else None)
    return tuple(found)


def _split_sentences(text: str) -> Iterator[tuple[str, bool]]:
    start = 0
    for match in _END.finditer(text):
        if text[start : match.start()].strip():
            yield text[start : match.start()].strip(), bool(_QUESTION.search(match[0]))
        start = match.end()
    if text[start:].strip():
        yield text[start:].strip(), False


def _read_sentence(
    sentence: str, marks: tuple[Marks, ...], is_question: bool, before: Clause | None
) -> list[Clause]:
    pieces = list(_split(sentence, marks))
    found: list[Clause] = []
    for number, (piece, is_contrast) in enumerate(pieces):
        led_by = found[-1] if found else None
        clause = _read_clause(piece, marks, None if is_contrast else led_by)
        subject, is_guessed = _subject(piece, marks, led_by, before)
        is_last = number == len(pieces) - 1
        found.append(
            replace(
                clause,
                subject=subject,
                subject_is_guessed=is_guessed,
                is_asked=clause.is_asked or (is_question and is_last),
                is_conditional=bool(
                    led_by and (led_by.is_conditional or _imagines(led_by.text, marks))
                ),
            )
        )
    return found


def _read_clause(piece: str, marks: tuple[Marks, ...], led_by: Clause | None) -> Clause:
    """`led_by` rules a clause that has no verb of its own: "I don't like tea, cake or milk"."""
    has_verb = any(one.own.search(piece) or one.verbs.search(piece) for one in marks)
    goes_on = None if has_verb else led_by
    return Clause(
        text=piece,
        marks=marks,
        subject="open",
        subject_is_guessed=False,
        is_asked=_asks(piece, marks) or bool(goes_on and goes_on.is_asked),
        denial=_denial(goes_on, marks) if goes_on else "",
        is_imagined=bool(goes_on and (goes_on.is_imagined or _imagines(goes_on.text, marks))),
        is_conditional=False,
    )


def _denial(led_by: Clause, marks: tuple[Marks, ...]) -> str:
    return led_by.denial or (led_by.text if is_negated(led_by.text, marks) else "")


def first_place(pattern: re.Pattern[str], text: str) -> int:
    match = pattern.search(text)
    return match.start() if match else len(text)


def is_negated(text: str, marks: tuple[Marks, ...]) -> bool:
    return any(one.negations.search(one.no_negations.sub(" ", text)) for one in marks)


def _imagines(text: str, marks: tuple[Marks, ...]) -> bool:
    return any(one.hypothetical.search(one.polite.sub(" ", text)) for one in marks)


def _asks(piece: str, marks: tuple[Marks, ...]) -> bool:
    stripped = piece.lstrip(" ¿¡\"'«“")
    return any(
        one.asks_last.search(piece)
        or (one.language.is_unspaced and one.asks.search(piece))
        or one.asks.match(stripped)
        for one in marks
    )


def _subject(
    piece: str, marks: tuple[Marks, ...], led_by: Clause | None, before: Clause | None
) -> tuple[Subject, bool]:
    """Whoever is named first. A clause that names nobody goes on about the one before."""
    own = min((own_place(one, piece) for one in marks), default=len(piece))
    other = min((_other_place(one, piece) for one in marks), default=len(piece))
    if own < other:
        return "own", False
    if other < len(piece):
        return "other", False
    if led_by and led_by.subject != "open":
        return led_by.subject, led_by.subject_is_guessed
    if before and before.subject == "other":
        return "other", True
    return "open", False


def own_place(marks: Marks, piece: str) -> int:
    """Where the user is the one who acts; "my sister" is not the user."""
    for match in marks.own.finditer(piece):
        owns = marks.possessive.match(piece, match.start())
        if not owns and not marks.anybody.match(piece, match.end()):  # 我妹妹
            return match.start()
    return len(piece)


def _other_place(marks: Marks, piece: str) -> int:
    return min(first_place(marks.others, piece), first_place(marks.anybody, piece))


def _split(sentence: str, marks: tuple[Marks, ...]) -> Iterator[tuple[str, bool]]:
    """(clause, whether "but" leads it in)."""
    breaks = marks[0].breaks if marks else re.compile(r"[,;，；、،—–]|:\s")
    start, is_contrast = 0, False
    for match in breaks.finditer(sentence):
        if sentence[start : match.start()].strip():
            yield sentence[start : match.start()].strip(), is_contrast
            is_contrast = False
        is_contrast = is_contrast or bool(match.groupdict().get("but"))
        start = match.end()
    if sentence[start:].strip():
        yield sentence[start:].strip(), is_contrast
