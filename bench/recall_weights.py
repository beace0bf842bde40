"""What each weight of retrieval is worth: `python -m bench.recall_weights FOLDER`.

Candidates are searched once. Then each weight is left out, halved and doubled. The weights were
chosen with this table: round numbers, none of which matters much.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path

import click

from bench.recall_chats import Asked, Chat
from bench.recall_data import read_chats
from bench.recall_scores import Answered, print_header, print_row
from bench.recall_site import fill, list_titles, open_services, user_of
from migrations import upgrade
from shared.embeddings import encode_queries, model_name
from shared.models import Passage, Query
from shared.policy.ranking.passages import Criteria, rank_passages
from shared.policy.ranking.weights import WEIGHTS, Weights
from shared.recall.messages import search_messages
from shared.recall.query import read_query
from shared.services import Services

TODAY = datetime(2024, 6, 1, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class Case:
    """A question, and all that was scored for it."""

    chat: str
    titles: Mapping[str, str]
    asked: Asked
    criteria: Criteria
    passages: Sequence[Passage]


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--database-url", default="", help="One to keep; else one of its own.")
@click.option("--redis-url", default="", help="Goes with it.")
def main(folder: Path, database_url: str, redis_url: str) -> None:
    chats = read_chats(folder)
    with open_services(database_url, redis_url) as services:
        upgrade(services.settings.database_url)
        fill(services, chats)
        cases = [case for chat in chats for case in gather(services, chat)]
    print_header()
    score("as they are", cases, WEIGHTS)
    for field in fields(Weights):
        value = getattr(WEIGHTS, field.name)
        for times in (0.0, 0.5, 2.0):
            changed = replace(WEIGHTS, **{field.name: value * times})
            score(f"{field.name} {value * times:g}", cases, changed)


def gather(services: Services, chat: Chat) -> list[Case]:
    titles, user = list_titles(services, user_of(chat)), user_of(chat)
    questions = [question for question in chat.questions if question.groups]
    model = model_name(services.settings)
    queries = [
        Query(user_id=user, text=question.text, asked_at=TODAY, model=model)
        for question in questions
    ]
    with services.database.transaction(user=user) as connection:
        readings = [read_query(connection, query) for query in queries]
    texts = [reading.question.for_meaning for reading in readings]
    encoded = encode_queries(texts, services.settings)
    cases = []
    for question, reading, vectors in zip(questions, readings, encoded, strict=True):
        with services.database.transaction(user=user) as connection:
            got = search_messages(connection, reading.with_vectors(vectors))
        cases.append(
            Case(
                chat=chat.name,
                titles=titles,
                asked=question,
                criteria=got.criteria,
                passages=[ranked.passage for ranked in got.ranked],
            )
        )
    return cases


def score(name: str, cases: Sequence[Case], weights: Weights) -> None:
    print_row(name, [_answer(case, weights) for case in cases])


def _answer(case: Case, weights: Weights) -> Answered:
    passages = [hit.passage for hit in rank_passages(case.passages, case.criteria, weights)]
    spots = [
        (case.titles[passage.conversation_id], passage.sequence_number) for passage in passages
    ]
    return Answered(chat=case.chat, asked=case.asked, ranked=spots)


if __name__ == "__main__":
    main()
