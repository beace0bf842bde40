"""Ask people's questions of the product, and of two simpler retrievers on the same rows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from bench.recall_data import Spot
from bench.recall_people import Person, PersonQuestion
from bench.recall_people_scores import Reply, has_all, print_header, print_rows
from bench.recall_site import by_words, import_sessions, list_titles, within_prompt
from shared.db import PgConnection
from shared.embeddings import encode_queries, model_name
from shared.models import MessageKey, Query, UserId
from shared.policy.ranking.passages import add_context, key_of
from shared.policy.ranking.relevance import choose_relevant, confidence
from shared.recall.messages import NEAREST, FoundMessages, search_messages
from shared.recall.query import Reading, read_query
from shared.recall.quotes import MAX_QUOTES
from shared.services import Services
from shared.store.search import candidates
from tests.embedding import embed_pending

EVENING = time(20, 0, tzinfo=UTC)  # when the questions are asked
LISTED = 10  # messages in a report on a failure


@dataclass
class Replies:
    product: list[Reply] = field(default_factory=list)
    dense: list[Reply] = field(default_factory=list)
    lexical: list[Reply] = field(default_factory=list)
    #: What the product did with each question, for the reports.
    readings: list[tuple[Reading, float]] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Memory:
    """One person's imported conversations."""

    user_id: UserId
    titles: Mapping[str, str]

    def spot(self, key: MessageKey) -> Spot:
        return self.titles[key.conversation_id], key.sequence_number


def report_people(
    services: Services, people: Sequence[Person], today: date | None, failures: Path | None
) -> None:
    """`today` is the day of the questions. None: the day after a person's last conversation."""
    for person in people:
        import_sessions(services, _user_of(person), person.sessions)
    print(f"{embed_pending(services)} messages embedded, {model_name(services.settings)}\n")
    replies = Replies()
    for person in people:
        day = today or person.last_day + timedelta(1)
        _ask_person(services, person, datetime.combine(day, EVENING), replies)
    print_header()
    print_rows("dense only", replies.dense)
    print_rows("lexical only", replies.lexical)
    print_rows("the product", replies.product)
    if failures:
        _write_failures(failures, people, replies)


def _user_of(person: Person) -> UserId:
    return UserId(f"person-{person.name}")


def _ask_person(services: Services, person: Person, now: datetime, replies: Replies) -> None:
    user_id = _user_of(person)
    memory = Memory(user_id=user_id, titles=list_titles(services, user_id))
    model = model_name(services.settings)
    queries = [
        Query(user_id=user_id, text=one.text, asked_at=now, model=model) for one in person.questions
    ]
    plain = encode_queries([one.text for one in queries], services.settings)
    for asked, query, encoded, (reading, got) in zip(
        person.questions, queries, plain, _search_all(services, user_id, queries), strict=True
    ):
        with services.database.transaction(user=user_id) as connection:
            product = _product_reply(connection, memory, person, asked, got)
            near = list(candidates.list_nearest(connection, query.with_vectors(encoded), NEAREST))
            worded = by_words(connection, query)
            replies.dense.append(_plain_reply(connection, memory, person, asked, near))
            replies.lexical.append(_plain_reply(connection, memory, person, asked, worded))
        replies.product.append(product)
        replies.readings.append((reading, confidence(got.ranked, got.criteria)))


def _search_all(
    services: Services, user_id: UserId, queries: Sequence[Query]
) -> Iterator[tuple[Reading, FoundMessages]]:
    with services.database.transaction(user=user_id) as connection:
        readings = [read_query(connection, query) for query in queries]
    texts = [one.question.for_meaning for one in readings]
    for reading, vectors in zip(readings, encode_queries(texts, services.settings), strict=True):
        with services.database.transaction(user=user_id) as connection:
            yield reading, search_messages(connection, reading.with_vectors(vectors))


def _product_reply(
    connection: PgConnection,
    memory: Memory,
    person: Person,
    asked: PersonQuestion,
    got: FoundMessages,
) -> Reply:
    relevant = choose_relevant(got.ranked, got.criteria)
    quoted = add_context(relevant[:MAX_QUOTES], got.ranked)
    scores = {key_of(one.passage): one.score for one in quoted}
    return Reply(
        person=person.name,
        asked=asked,
        ranked=[memory.spot(key_of(one.passage)) for one in got.ranked],
        given=_spots(memory, within_prompt(connection, memory.user_id, scores, got.criteria.words)),
        is_refused=not relevant,
    )


def _plain_reply(
    connection: PgConnection,
    memory: Memory,
    person: Person,
    asked: PersonQuestion,
    found: Sequence[MessageKey],
) -> Reply:
    scores = {key: -float(place) for place, key in enumerate(found[:MAX_QUOTES])}
    return Reply(
        person=person.name,
        asked=asked,
        ranked=[memory.spot(key) for key in found],
        given=_spots(memory, within_prompt(connection, memory.user_id, scores, ())),
        is_refused=not found,
    )


def _spots(memory: Memory, keys: Sequence[MessageKey]) -> frozenset[Spot]:
    return frozenset(memory.spot(key) for key in keys)


def _write_failures(folder: Path, people: Sequence[Person], replies: Replies) -> None:
    """A file for each person: the questions that were not fully answered by ten messages."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {one.name: _texts_of(one) for one in people}
    failed: dict[str, list[dict[str, Any]]] = {one.name: [] for one in people}
    for reply, (reading, sure) in zip(replies.product, replies.readings, strict=True):
        if reply.asked.groups and has_all(reply.asked.groups, reply.ranked[:LISTED]):
            continue
        if not reply.asked.groups and reply.is_refused:
            continue
        said = texts[reply.person]
        failed[reply.person].append(
            {
                "question": reply.asked.text,
                "answer": reply.asked.answer,
                "read_as": {
                    "role": reading.question.role,
                    "dates": [str(one) for one in reading.question.dates],
                    "for_meaning": reading.question.for_meaning,
                },
                "confidence": round(sure, 3),
                "refused": reply.is_refused,
                "needed": [
                    [_told(reply, said, spot) for spot in sorted(group)]
                    for group in reply.asked.groups
                ],
                "found": [_told(reply, said, spot) for spot in reply.ranked[:LISTED]],
            }
        )
    for number, (name, questions) in enumerate(failed.items()):
        text = json.dumps({"person": name, "failures": questions}, ensure_ascii=False, indent=2)
        (folder / f"{number:03}.json").write_text(text + "\n", "utf-8")


def _texts_of(person: Person) -> Mapping[Spot, str]:
    """The first words of each message, by its place after the import."""
    texts: dict[Spot, str] = {}
    for session in person.sessions:
        sequence, role = -1 if session["messages"][0]["role"] == "user" else 0, ""
        for one in session["messages"]:
            sequence += one["role"] != role
            role = one["role"]
            texts.setdefault((session["title"], sequence), f"{role}: {one['content'][:200]}")
    return texts


def _told(reply: Reply, texts: Mapping[Spot, str], spot: Spot) -> str:
    place = list(reply.ranked).index(spot) + 1 if spot in reply.ranked else None
    return f"#{place} {spot[0]} {spot[1]} {texts.get(spot, '')}"
