"""Splits a message into clauses. Negations, conditions and subjects carry over to later clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from shared.policy.facts.stance.patterns import Patterns, plain, recognise

#: Whom a clause is about. `open`: the clause does not tell.
Subject = Literal["own", "other", "open"]

_ABBREVIATION = r"(?<!\b[dm]r)(?<!\bmrs)(?<!\bms)(?<!\bst)(?<!\bca)(?<!\bbzw)(?<!\b[a-z])"
_END = re.compile(rf"{_ABBREVIATION}\.+(?!\w)|[!?。！？؟।\n]+|(?<=\d)\.(?=\s|$)")
_QUESTION = re.compile(r"[?？؟]")


@dataclass(frozen=True, kw_only=True)
class Clause:
    #: Lower case, accents kept.
    text: str
    #: Empty where the language is unknown or has no table.
    languages: tuple[Patterns, ...]
    subject: Subject
    #: The subject is taken from the sentence before. It is likely, but not certain.
    subject_is_guessed: bool
    is_asked: bool
    #: An earlier clause whose negation extends to this one: "I don't like tea, [cake or milk]".
    denial: str
    #: An earlier clause makes it hypothetical.
    is_imagined: bool
    #: An "if" stands earlier in the sentence.
    is_conditional: bool


def read_clauses(text: str) -> tuple[Clause, ...]:
    """The clauses in order. A sentence of unclear language has the language of the message."""
    whole = recognise(plain(text))
    found: list[Clause] = []
    for sentence, is_question in _split_sentences(plain(text)):
        languages = recognise(sentence) or whole
        found += _read_sentence(sentence, languages, is_question, found[-1] if found else None)
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
    sentence: str, languages: tuple[Patterns, ...], is_question: bool, before: Clause | None
) -> list[Clause]:
    pieces = list(_split(sentence, languages))
    found: list[Clause] = []
    for number, (piece, is_contrast) in enumerate(pieces):
        previous_clause = found[-1] if found else None
        clause = _read_clause(piece, languages, None if is_contrast else previous_clause)
        subject, is_guessed = _find_subject(piece, languages, previous_clause, before)
        is_last = number == len(pieces) - 1
        found.append(
            replace(
                clause,
                subject=subject,
                subject_is_guessed=is_guessed,
                is_asked=clause.is_asked or (is_question and is_last),
                is_conditional=bool(
                    previous_clause
                    and (
                        previous_clause.is_conditional or _imagines(previous_clause.text, languages)
                    )
                ),
            )
        )
    return found


def _read_clause(
    piece: str, languages: tuple[Patterns, ...], previous_clause: Clause | None
) -> Clause:
    """Read one clause. Without a verb of its own it continues `previous_clause`."""
    has_verb = any(
        language.own.search(piece) or language.verbs.search(piece) for language in languages
    )
    goes_on = None if has_verb else previous_clause
    return Clause(
        text=piece,
        languages=languages,
        subject="open",
        subject_is_guessed=False,
        is_asked=_asks(piece, languages) or bool(goes_on and goes_on.is_asked),
        denial=_denial(goes_on, languages) if goes_on else "",
        is_imagined=bool(goes_on and (goes_on.is_imagined or _imagines(goes_on.text, languages))),
        is_conditional=False,
    )


def _denial(previous_clause: Clause, languages: tuple[Patterns, ...]) -> str:
    return previous_clause.denial or (
        previous_clause.text if is_negated(previous_clause.text, languages) else ""
    )


def first_offset(pattern: re.Pattern[str], text: str) -> int:
    """The offset of the first match. Without a match, the length of the text."""
    match = pattern.search(text)
    return match.start() if match else len(text)


def is_negated(text: str, languages: tuple[Patterns, ...]) -> bool:
    return any(
        language.negations.search(language.no_negations.sub(" ", text)) for language in languages
    )


def _imagines(text: str, languages: tuple[Patterns, ...]) -> bool:
    return any(
        language.hypothetical.search(language.polite.sub(" ", text)) for language in languages
    )


def _asks(piece: str, languages: tuple[Patterns, ...]) -> bool:
    stripped = piece.lstrip(" ¿¡\"'«“")
    return any(
        language.asks_last.search(piece)
        or (language.table.is_unspaced and language.asks.search(piece))
        or language.asks.match(stripped)
        for language in languages
    )


def _find_subject(
    piece: str,
    languages: tuple[Patterns, ...],
    previous_clause: Clause | None,
    before: Clause | None,
) -> tuple[Subject, bool]:
    """The subject (the person named first), and whether it is guessed.

    A clause that names nobody has the subject of the clause before.
    """
    own = min((own_offset(language, piece) for language in languages), default=len(piece))
    other = min((_other_offset(language, piece) for language in languages), default=len(piece))
    if own < other:
        return "own", False
    if other < len(piece):
        return "other", False
    if previous_clause and previous_clause.subject != "open":
        return previous_clause.subject, previous_clause.subject_is_guessed
    if before and before.subject == "other":
        return "other", True
    return "open", False


def own_offset(language: Patterns, piece: str) -> int:
    """The offset of the first word for the user ("I"). "my sister" is not such a word."""
    for match in language.own.finditer(piece):
        owns = language.possessive.match(piece, match.start())
        if not owns and not language.anybody.match(piece, match.end()):  # 我妹妹
            return match.start()
    return len(piece)


def _other_offset(language: Patterns, piece: str) -> int:
    return min(first_offset(language.others, piece), first_offset(language.anybody, piece))


def _split(sentence: str, languages: tuple[Patterns, ...]) -> Iterator[tuple[str, bool]]:
    """The clauses of a sentence, each with whether "but" introduces it."""
    breaks = languages[0].breaks if languages else re.compile(r"[,;，；、،—–]|:\s")
    start, is_contrast = 0, False
    for match in breaks.finditer(sentence):
        if sentence[start : match.start()].strip():
            yield sentence[start : match.start()].strip(), is_contrast
            is_contrast = False
        is_contrast = is_contrast or bool(match.groupdict().get("but"))
        start = match.end()
    if sentence[start:].strip():
        yield sentence[start:].strip(), is_contrast
