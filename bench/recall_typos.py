"""Recall of misspelt questions: `python -m bench.recall_typos FOLDER`, of LoCoMo files.

Each question gets one typing error, in the rarest of its words that any message holds, once for
each kind of error, and is asked as typed and as the product corrects it; beside it the questions
as they are, both ways, to see what correcting does to what was spelt well.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from bench.recall_data import ADVERSARIAL, Asked, Chat, read_chats
from bench.recall_scores import Answered, print_header, print_row
from bench.recall_site import fill, list_titles, open_services, user_of
from bench.typing_errors import ERRORS
from migrations import upgrade
from shared.db import PgConnection
from shared.embeddings import encode_with_tokens, model_name
from shared.embeddings.bulk import load_sentence_model
from shared.embeddings.vocabulary import has_word
from shared.models import UserId
from shared.policy.ranking.question import Question
from shared.policy.ranking.spelling import list_correctable, replace_words
from shared.recall.messages import MOST_COUNTED, read_asked, recollect
from shared.recall.spelling import Corrected, Knows, read_corrected
from shared.services import Services
from shared.store.search import passages

TODAY = datetime(2024, 6, 1, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class Case:
    """One row of the table, and one question as it is searched for it."""

    row: str
    asked: Asked
    question: Question


@dataclass
class Typed:
    """All cases of a chat, and what became of the misspelt words."""

    cases: list[Case] = field(default_factory=list)
    fates: Counter[str] = field(default_factory=Counter)

    def add(self, row: str, asked: Asked, question: Question) -> None:
        self.cases.append(Case(row=row, asked=asked, question=question))


@dataclass(frozen=True)
class Reading:
    """A user's questions, as the product reads them."""

    connection: PgConnection
    user: UserId
    knows: Knows

    def plain(self, text: str) -> Question:
        return read_asked(self.connection, self.user, text, TODAY)

    def corrected(self, text: str) -> Corrected:
        return read_corrected(self.connection, self.user, text, TODAY, self.knows)

    def rarest_said(self, question: Question) -> str | None:
        counts = {}
        for word in list_correctable(question.for_words):
            found, _ = passages.count_holding(self.connection, self.user, word, MOST_COUNTED)
            if any(found.values()):
                counts[word] = max(found.values())
        return min(counts, key=lambda word: (counts[word], word), default=None)


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--database-url", default="", help="One to keep; else one of its own.")
@click.option("--redis-url", default="", help="Goes with it.")
def main(folder: Path, database_url: str, redis_url: str) -> None:
    chats = read_chats(folder)
    rows: dict[str, list[Answered]] = defaultdict(list)
    fates: Counter[str] = Counter()
    with open_services(database_url, redis_url) as services:
        upgrade(services.settings.database_url)
        fill(services, chats)
        for chat in chats:
            typed = type_all(services, chat)
            fates += typed.fates
            for row, answered in ask_all(services, chat, typed.cases):
                rows[row].append(answered)
    print_header()
    for row, answers in rows.items():
        print_row(row, answers)
    print("\nmisspelt words: " + ", ".join(f"{n} {fate}" for fate, n in fates.most_common()))


def type_all(services: Services, chat: Chat) -> Typed:
    typed, tokenizer = Typed(), load_sentence_model(services.settings).tokenizer.backend_tokenizer
    for asked in chat.questions:
        if asked.category == ADVERSARIAL:
            continue
        with services.database.transaction() as connection:
            reading = Reading(connection, user_of(chat), lambda word: has_word(tokenizer, word))
            type_well(reading, asked, typed)
            type_badly(reading, asked, typed)
    return typed


def type_well(reading: Reading, asked: Asked, typed: Typed) -> None:
    typed.add("as they are", asked, reading.plain(asked.text))
    typed.add("as they are, corrected", asked, reading.corrected(asked.text).question)
    blindly = replace(reading, knows=lambda word: False).corrected(asked.text)
    typed.add("as they are, known words too", asked, blindly.question)


def type_badly(reading: Reading, asked: Asked, typed: Typed) -> None:
    plain = reading.plain(asked.text)
    word = reading.rarest_said(plain)
    if word is None:
        return
    typed.add("spelt well", asked, plain)
    for kind, make_error in ERRORS.items():
        wrong = make_error(word, random.Random(f"{kind} {asked.text}"))
        text = replace_words(asked.text, {word: wrong})
        corrected = reading.corrected(text)
        for row in ("misspelt", f"  {kind}"):
            typed.add(row, asked, reading.plain(text))
            typed.add(f"{row}, corrected", asked, corrected.question)
        typed.fates[_fate(corrected.meant.get(wrong), word)] += 1


def _fate(meant: str | None, word: str) -> str:
    if meant is None:
        return "left alone"
    return "put right" if meant == word else "taken for another word"


def ask_all(
    services: Services, chat: Chat, cases: Sequence[Case]
) -> Iterator[tuple[str, Answered]]:
    """Each question once, in however many rows it stands."""
    user, titles, model = user_of(chat), list_titles(services, chat), model_name(services.settings)
    texts = list({case.question.for_meaning: None for case in cases})
    encoded = dict(zip(texts, encode_with_tokens(texts, services.settings), strict=True))
    ranked: dict[Question, list[Any]] = {}
    for case in cases:
        if case.question not in ranked:
            found = encoded[case.question.for_meaning]
            with services.database.transaction() as connection:
                got = recollect(connection, user, case.question, found, model, is_said=False)
            places = [one.passage for one in got.ranked]
            spots = [(titles[one.conversation_id], one.sequence_number) for one in places]
            ranked[case.question] = spots
        yield case.row, Answered(chat=chat.name, asked=case.asked, ranked=ranked[case.question])


if __name__ == "__main__":
    main()
