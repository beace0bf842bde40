"""Recall of misspelt questions: `python -m bench.recall_typos FOLDER`, of LoCoMo files.

Each question gets one typing error, in the rarest of its words that any message contains, once for
each kind of error. It is searched as typed and as the product corrects it. The questions without
errors are searched both ways, too, to see what correction does to well-spelt words.
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

from bench.recall_chats import Asked, Chat
from bench.recall_data import read_chats
from bench.recall_scores import Answered, print_header, print_row
from bench.recall_site import fill, list_titles, open_services, user_of
from bench.typing_errors import ERRORS
from migrations import upgrade
from shared.db import PgConnection
from shared.embeddings import encode_queries, model_name
from shared.embeddings.bulk_encoder import load_onnx_model
from shared.models import Query, UserId
from shared.policy.ranking.question import Question
from shared.policy.ranking.spelling import list_correctable, replace_words
from shared.recall.messages import MOST_COUNTED, search_messages
from shared.recall.query import Reading, read_query
from shared.recall.spelling import IsKnown, correct_spelling
from shared.services import Services
from shared.store.search import candidates

TODAY = datetime(2024, 6, 1, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class Case:
    """One question of one row of the table."""

    row: str
    asked: Asked
    reading: Reading


@dataclass
class Typed:
    """All cases of a chat, and what became of their misspelt words."""

    cases: list[Case] = field(default_factory=list)
    fates: Counter[str] = field(default_factory=Counter)

    def add(self, row: str, question: Asked, reading: Reading) -> None:
        self.cases.append(Case(row=row, asked=question, reading=reading))


@dataclass(frozen=True)
class Reader:
    """Reads a user's questions as the product does."""

    connection: PgConnection
    user: UserId
    model: str
    is_known: IsKnown

    def plain(self, text: str) -> Reading:
        query = Query(user_id=self.user, text=text, asked_at=TODAY, model=self.model)
        return read_query(self.connection, query)

    def corrected(self, text: str) -> Reading:
        return correct_spelling(self.connection, self.plain(text), self.is_known)

    def rarest_said(self, question: Question) -> str | None:
        counts = {}
        for word in list_correctable(question.for_words):
            word_counts = candidates.count_containing(
                self.connection, self.user, word, MOST_COUNTED
            ).counts
            if any(word_counts.values()):
                counts[word] = max(word_counts.values())
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
    typed, knows = Typed(), load_onnx_model(services.settings).knows
    for question in chat.questions:
        if not question.groups:
            continue
        with services.database.transaction(user=user_of(chat)) as connection:
            model = model_name(services.settings)
            reader = Reader(connection, user_of(chat), model, knows)
            type_well(reader, question, typed)
            type_badly(reader, question, typed)
    return typed


def type_well(reader: Reader, question: Asked, typed: Typed) -> None:
    typed.add("as they are", question, reader.plain(question.text))
    typed.add("as they are, corrected", question, reader.corrected(question.text))
    blindly = replace(reader, is_known=lambda word: False).corrected(question.text)
    typed.add("as they are, known words too", question, blindly)


def type_badly(reader: Reader, question: Asked, typed: Typed) -> None:
    plain = reader.plain(question.text)
    word = reader.rarest_said(plain.question)
    if word is None:
        return
    typed.add("spelt well", question, plain)
    for kind, make_error in ERRORS.items():
        wrong = make_error(word, random.Random(f"{kind} {question.text}"))
        text = replace_words(question.text, {word: wrong})
        corrected = reader.corrected(text)
        for row in ("misspelt", f"  {kind}"):
            typed.add(row, question, reader.plain(text))
            typed.add(f"{row}, corrected", question, corrected)
        typed.fates[_fate(corrected.corrections.get(wrong), word)] += 1


def _fate(meant: str | None, word: str) -> str:
    if meant is None:
        return "left alone"
    return "put right" if meant == word else "taken for another word"


def ask_all(
    services: Services, chat: Chat, cases: Sequence[Case]
) -> Iterator[tuple[str, Answered]]:
    """Search for each question once, even if it is in several rows."""
    titles = list_titles(services, user_of(chat))
    texts = list({case.reading.question.for_meaning: None for case in cases})
    encoded = dict(zip(texts, encode_queries(texts, services.settings), strict=True))
    ranked: dict[Question, list[Any]] = {}
    for case in cases:
        question = case.reading.question
        if question not in ranked:
            reading = case.reading.with_vectors(encoded[question.for_meaning])
            with services.database.transaction(user=user_of(chat)) as connection:
                got = search_messages(connection, reading)
            passages = [hit.passage for hit in got.ranked]
            spots = [
                (titles[passage.conversation_id], passage.sequence_number) for passage in passages
            ]
            ranked[question] = spots
        yield case.row, Answered(chat=chat.name, asked=case.asked, ranked=ranked[question])


if __name__ == "__main__":
    main()
