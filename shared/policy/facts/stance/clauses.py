"""Splits a message into clauses. Negations, conditions and subjects carry over to later clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from shared.policy.facts.stance import elsewhere
from shared.policy.facts.stance.patterns import (
    LIKENED,
    Patterns,
    list_languages,
    plain,
    recognise,
)
from shared.policy.facts.stance.reported import (
    is_reported,
    list_overtaken,
    states_by_question,
)
from shared.policy.facts.stance.sentences import split_clauses, split_sentences
from shared.policy.facts.stance.subject import Subject, other_offset, own_offset

MAX_REPLACEMENT_WORDS = 4
MAX_BARE_REPLACEMENT = 2  # words, in a language without a table
MAX_BARE_WORDS = 1  # beside what mocks: "yeah right then"
MAX_MARKERS = 5  # "no, no, wait, sorry"
#: These take back whatever stands before them, however it goes on.
_RETRACTS = re.compile(
    r"(?:scratch|strike|forget) that|i take (?:that|it) back|streich das|ich nehme das zurück|"
    r"je retire|oublie ça|borra eso|retiro lo dicho|cancella|ritiro|apaga isso|retiro o que disse|"
    r"schrap dat|зачеркни|беру слова назад|sözümü geri alıyorum|当我没说|今のなし"
)
#: "No oven, [only a hob]": the denial goes no further.
_ONLY = re.compile(
    r"(?:only|just|nur|bloß|seulement|solo|sólo|solamente|soltanto|só|somente|alleen|slechts|только|"
    r"лишь|тільки|лише|sadece|yalnızca|tylko|jen|pouze)(?!\w)|只|だけ"
)
#: Before words that take something back: "argh autocorrect".
_CRY = re.compile(
    r"^(?:a+r*gh+|u+gh|oh|ah|ach|äh|uh|oops|ups|oups|hm+|haha|ay|uy|ой|ах|эх)[ ,!]+(?=\w)"
)
_LABEL = re.compile(r"\s*\w+[:：]\s")
_WITHOUT = re.compile(
    r"(?<!\w)(?:without|ohne|sin|sans|senza|sem|zonder|без)(?!\w)|بدون|बिना|なしで"
)


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
    #: It is what people say of the user.
    is_reported: bool = False
    #: The sentence goes on with where the user has been since.
    is_overtaken: bool = False
    #: An "if" stands earlier in the sentence.
    is_conditional: bool
    #: "When I lived in Ghent, [my cat was called Poes]": the words before say when.
    is_after_past: bool = False
    #: The next words take it back: "Rome. No, wait, Bern."
    is_corrected: bool = False
    #: The message has no other clause, but for a label: "Name: Bea".
    is_alone: bool = False


def read_clauses(text: str) -> tuple[Clause, ...]:
    """The clauses in order. A sentence of unclear language has the language of the message."""
    whole = recognise(plain(text))
    parts: list[Clause] = []
    for sentence, is_question in split_sentences(plain(text)):
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
        asks_instead = after < len(clauses) and clauses[after].is_asked and not clause.is_asked
        if number + 1 < len(clauses) and _RETRACTS.match(clauses[number + 1].text):
            yield replace(clause, is_corrected=True)
            number += 1
        elif is_new and has_marker and not asks_instead and _replaces(rest, clause):
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
    text = _CRY.sub("", clause.text.strip(" .,!"))
    if not clause.languages:
        text = elsewhere.after_correction(text)
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
        for column in (language.common, language.hypothetical, language.asks, language.possessive)
    ):
        return False
    return len(words) <= (MAX_REPLACEMENT_WORDS if before.languages else MAX_BARE_REPLACEMENT)


def _read_sentence(
    sentence: str, languages: tuple[Patterns, ...], is_question: bool, before: Clause | None
) -> list[Clause]:
    pieces = list(split_clauses(sentence, languages))
    texts = [piece for piece, _ in pieces]
    overtaken = list_overtaken(texts)
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
                is_asked=(clause.is_asked or (is_question and is_last))
                and not states_by_question(texts, number),
                is_imagined=clause.is_imagined
                or bool(previous_clause and _is_bare_mock(previous_clause)),
                is_after_past=number == 1 and _frames_past(sentence, pieces[0][0], clause),
                is_reported=is_reported(texts, number),
                is_overtaken=overtaken[number],
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
        language.first_person.search(piece) or language.verbs.search(piece)
        for language in languages
    )
    goes_on = None if has_verb else previous_clause
    return Clause(
        text=piece,
        languages=languages,
        subject="open",
        subject_is_guessed=False,
        is_asked=_asks(piece, languages) or bool(goes_on and goes_on.is_asked),
        denial=_denial(goes_on, languages) if goes_on and not _ONLY.match(piece) else "",
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
        language.hypothetical.search(language.polite.sub(" ", language.emphatic.sub(" ", text)))
        for language in languages
    )


def _frames_past(sentence: str, frame: str, clause: Clause) -> bool:
    """Whether the sentence begins with a time that is over, and the clause has no verb of now."""
    is_parted = sentence[len(frame) :].lstrip().startswith((",", "，"))
    return is_parted and any(
        language.past.match(frame)
        and not language.first_person.match(frame)
        and not language.renewals.search(clause.text)
        and not language.verbs.search(clause.text)
        for language in clause.languages
    )


def _is_bare_mock(clause: Clause) -> bool:
    """ "Yeah right, I live in a castle": the first words mock what follows."""
    return any(
        len(language.mocks.sub(" ", clause.text).split()) <= MAX_BARE_WORDS
        for language in clause.languages
        if language.mocks.search(clause.text) and not language.first_person.search(clause.text)
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
    piece = LIKENED.sub(lambda match: " " * len(match[0]), piece)
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
