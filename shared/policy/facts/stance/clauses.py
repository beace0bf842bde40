"""Splits a message into clauses. Negations, conditions and subjects carry over to later clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from shared.policy.facts.stance import elsewhere
from shared.policy.facts.stance.patterns import (
    COMMAS,
    LIKENED,
    Patterns,
    list_languages,
    plain,
    recognise,
)
from shared.policy.facts.stance.subject import Subject, other_offset, own_offset

#: The word before a clause: "but", "because", or another one or none.
Link = Literal["but", "cause", ""]

_ABBREVIATION = (
    r"(?<!\b[dm]r)(?<!\bmrs)(?<!\bms)(?<!\bst)(?<!\bca)(?<!\bbzw)(?:(?<!\b[a-z])|(?<=\d [a-z]))"
)
_END = re.compile(
    rf"{_ABBREVIATION}\.+(?!\w)|[!?。！？؟।\n]+|(?<=\d)\.(?=\s|$)|(?<=[\u0370-\u03ff\u1f00-\u1fff]);"
)
MAX_REPLACEMENT_WORDS = 4
MAX_BARE_WORDS = 1  # beside what mocks: "yeah right then"
MAX_MARKERS = 5  # "no, no, wait, sorry"
_LABEL = re.compile(r"\s*\w+[:：]\s")
_WITHOUT = re.compile(
    r"(?<!\w)(?:without|ohne|sin|sans|senza|sem|zonder|без)(?!\w)|بدون|बिना|なしで"
)
_QUESTION = re.compile(r"[?？؟;]")  # Greek asks by a semicolon


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
    #: The next words take it back: "Rome. No, wait, Bern."
    is_corrected: bool = False
    #: The message has no other clause, but for a label: "Name: Bea".
    is_alone: bool = False


def read_clauses(text: str) -> tuple[Clause, ...]:
    """The clauses in order. A sentence of unclear language has the language of the message."""
    whole = recognise(plain(text))
    parts: list[Clause] = []
    for sentence, is_question in _split_sentences(plain(text)):
        languages = recognise(sentence) or whole
        parts += _read_sentence(sentence, languages, is_question, parts[-1] if parts else None)
    clauses = tuple(_corrected(parts))
    is_alone = len(clauses) == 1 or bool(_LABEL.match(text))
    return tuple(replace(clause, is_alone=is_alone) for clause in clauses)


def _corrected(clauses: list[Clause]) -> Iterator[Clause]:
    """The clauses without words such as "no, wait", each before them marked as taken back.

    What follows takes the place of the words before if it is short, or begins as they do.
    """
    number = 0
    while number < len(clauses):
        after = number + 1
        while after < min(len(clauses), number + MAX_MARKERS) and _takes_back(clauses[after]):
            after += 1
        clause = clauses[number]
        rest = _after_marker(clauses[after]) if after < len(clauses) else ""
        has_marker = after > number + 1 or (
            after < len(clauses) and rest != clauses[after].text.strip(" .,!")
        )
        is_new = bool(rest) and not is_negated(rest, clause.languages)
        if is_new and has_marker and _replaces(rest, clause):
            yield replace(clause, is_corrected=True)
            clauses[after] = replace(
                clauses[after], text=rest, languages=clause.languages, denial="",
                subject=clause.subject, subject_is_guessed=clause.subject_is_guessed,
                is_asked=clause.is_asked, is_imagined=clause.is_imagined,
            )  # fmt: skip
            number = after
        else:
            yield clause
            number += 1


def _takes_back(clause: Clause) -> bool:
    """Whether the clause is only such words: "no", "scratch that"."""
    return not _after_marker(clause)


def _after_marker(clause: Clause) -> str:
    """The clause without the words that take something back, at its beginning."""
    text = clause.text.strip(" .,!")
    for language in clause.languages or list_languages()[:1]:
        if language.no_negations.match(text):
            continue
        match = language.corrections.match(text)
        if match:
            return text[match.end() :].strip(" .,!")
    return text


def _replaces(text: str, before: Clause) -> bool:
    """Whether the words may take the place of the clause: "Bern", but not "if that sounds mad"."""
    words = text.split()
    if words[:2] == before.text.split()[:2]:
        return True
    if len(words) <= MAX_REPLACEMENT_WORDS and words[0] in before.text.split():
        return True  # "at Lloyds, sorry, I mean at Santander"
    if any(
        column.match(text)
        for language in before.languages
        for column in (language.common, language.hypothetical, language.asks)
    ):
        return False
    return len(words) <= MAX_REPLACEMENT_WORDS


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
    clauses: list[Clause] = []
    for number, (piece, link) in enumerate(pieces):
        previous_clause = clauses[-1] if clauses else None
        clause = _read_clause(piece, languages, None if link == "but" else previous_clause)
        subject, is_guessed = _find_subject(piece, languages, previous_clause, before)
        # "Which scissors do I need, since I'm left-handed?" asks for the scissors only.
        is_ground = link == "cause" and any(clause.is_asked for clause in clauses)
        is_last = number == len(pieces) - 1 and not is_ground
        clauses.append(
            replace(
                clause,
                subject=subject,
                subject_is_guessed=is_guessed,
                is_asked=clause.is_asked or (is_question and is_last),
                is_imagined=clause.is_imagined
                or bool(previous_clause and _is_bare_mock(previous_clause)),
                is_conditional=bool(
                    previous_clause
                    and (
                        previous_clause.is_conditional or _imagines(previous_clause.text, languages)
                    )
                ),
            )
        )
    return clauses


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
        is_imagined=(not languages and _imagines(piece, languages))
        or bool(goes_on and (goes_on.is_imagined or _imagines(goes_on.text, languages))),
        is_conditional=False,
    )


def _denial(previous_clause: Clause, languages: tuple[Patterns, ...]) -> str:
    return previous_clause.denial or (
        previous_clause.text if is_negated(previous_clause.text, languages) else ""
    )


def is_negated(text: str, languages: tuple[Patterns, ...]) -> bool:
    """Whether it denies. "I can't live without tea" does not: two denials affirm."""
    if not languages:
        return elsewhere.denies(text)
    for language in languages:
        rest = language.no_negations.sub(" ", language.emphatic.sub(" ", text))
        is_affirmed = _WITHOUT.search(rest) and language.negations.search(_WITHOUT.sub(" ", rest))
        if language.negations.search(rest) and not is_affirmed:
            return True
    return False


def _imagines(text: str, languages: tuple[Patterns, ...]) -> bool:
    if not languages:
        return elsewhere.supposes(text)
    return any(
        language.hypothetical.search(language.emphatic.sub(" ", language.polite.sub(" ", text)))
        for language in languages
    )


def _is_bare_mock(clause: Clause) -> bool:
    """ "Yeah right, I live in a castle": the first words mock what follows."""
    return any(
        len(language.mocks.sub(" ", clause.text).split()) <= MAX_BARE_WORDS
        for language in clause.languages
        if language.mocks.search(clause.text) and not language.own.search(clause.text)
    )


def _asks(piece: str, languages: tuple[Patterns, ...]) -> bool:
    stripped = LIKENED.sub(" ", piece.lstrip(" ¿¡\"'«“")).lstrip()
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
    user_offset = min((own_offset(language, piece) for language in languages), default=len(piece))
    other = min((other_offset(language, piece) for language in languages), default=len(piece))
    if user_offset < other:
        return "own", False
    if other < len(piece):
        return "other", False
    if not languages:
        return ("other" if elsewhere.begins_with_relative(piece) else "open"), False
    if previous_clause and previous_clause.subject != "open":
        return previous_clause.subject, previous_clause.subject_is_guessed
    if before and before.subject == "other":
        return "other", True
    return "open", False


def _split(sentence: str, languages: tuple[Patterns, ...]) -> Iterator[tuple[str, Link]]:
    """The clauses of a sentence, each with the kind of word that introduces it."""
    breaks = languages[0].breaks if languages else re.compile(rf"{COMMAS}|:\s")
    start = 0
    link: Link = ""
    whole = [match.span() for each in languages for match in each.mocks.finditer(sentence)]
    for match in breaks.finditer(sentence):
        if any(first < match.start() < last for first, last in whole):
            continue  # "tout sauf"
        if sentence[start : match.start()].strip():
            yield sentence[start : match.start()].strip(), link
            link = ""
        groups = match.groupdict()
        link = "but" if groups.get("but") else "cause" if groups.get("cause") else link
        start = match.end()
    if sentence[start:].strip():
        yield sentence[start:].strip(), link
