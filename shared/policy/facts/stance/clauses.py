"""Splits a message into clauses. Negations, conditions and subjects carry over to later clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from shared.policy.facts.stance.patterns import (
    COMMAS,
    LIKENED,
    Patterns,
    list_languages,
    plain,
    recognise,
)

#: Whom a clause is about. `open`: the clause does not tell.
Subject = Literal["own", "other", "open"]

_ABBREVIATION = (
    r"(?<!\b[dm]r)(?<!\bmrs)(?<!\bms)(?<!\bst)(?<!\bca)(?<!\bbzw)(?:(?<!\b[a-z])|(?<=\d [a-z]))"
)
_END = re.compile(
    rf"{_ABBREVIATION}\.+(?!\w)|[!?。！？؟।\n]+|(?<=\d)\.(?=\s|$)|(?<=[\u0370-\u03ff\u1f00-\u1fff]);"
)
MAX_REPLACEMENT_WORDS = 4
MAX_MARKERS = 5  # "no, no, wait, sorry"
_LABEL = re.compile(r"\s*\w+[:：]\s")
#: "if" in languages without a table.
_IF_ELSEWHERE = re.compile(
    r"(?<!\w)(?:hvis|dersom|jos|dacă|jeśli|jeżeli|gdyby\w*|kdyby\w*|pokud|jestli|keby|ako|якщо|якби|"
    r"ако|jei|jeigu|nếu|jika|kalau|ikiwa|αν|אם|اگر)(?!\w)|যদি"
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
    found: list[Clause] = []
    for sentence, is_question in _split_sentences(plain(text)):
        languages = recognise(sentence) or whole
        found += _read_sentence(sentence, languages, is_question, found[-1] if found else None)
    clauses = tuple(_corrected(found))
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
        is_imagined=(not languages and _imagines(piece, languages))
        or bool(goes_on and (goes_on.is_imagined or _imagines(goes_on.text, languages))),
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
    """Whether it denies. "I can't live without tea" does not."""
    return any(
        language.negations.search(language.no_negations.sub(" ", language.emphatic.sub(" ", text)))
        for language in languages
    )


def _imagines(text: str, languages: tuple[Patterns, ...]) -> bool:
    if not languages:
        return bool(_IF_ELSEWHERE.search(text))
    return any(
        language.hypothetical.search(language.emphatic.sub(" ", language.polite.sub(" ", text)))
        for language in languages
    )


def _is_bare_mock(clause: Clause) -> bool:
    """ "Yeah right, I live in a castle": the first words mock what follows."""
    return any(
        language.mocks.search(clause.text) and not language.own.search(clause.text)
        for language in clause.languages
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
    breaks = languages[0].breaks if languages else re.compile(rf"{COMMAS}|:\s")
    start, is_contrast = 0, False
    whole = [match.span() for each in languages for match in each.mocks.finditer(sentence)]
    for match in breaks.finditer(sentence):
        if any(first < match.start() < last for first, last in whole):
            continue  # "tout sauf"
        if sentence[start : match.start()].strip():
            yield sentence[start : match.start()].strip(), is_contrast
            is_contrast = False
        is_contrast = is_contrast or bool(match.groupdict().get("but"))
        start = match.end()
    if sentence[start:].strip():
        yield sentence[start:].strip(), is_contrast
