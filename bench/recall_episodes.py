"""Recall of episodes: `python -m bench.recall_episodes FOLDER`, of LoCoMo files.

Each session is one episode with LoCoMo's own summary. The product writes, embeds, searches and
ranks them. S@k is the share of the evidence's sessions among the first k episodes: by each kind of
search alone, by all together, and with each weight left out, halved and doubled. Adversarial
questions do not count.
"""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path

import click

from bench.recall_chats import Asked, Chat
from bench.recall_data import read_chats
from bench.recall_scores import Answered, mean_sessions_found
from bench.recall_site import fill, list_titles, open_services, user_of
from migrations import upgrade
from shared.db import PgConnection
from shared.embeddings import encode_queries, model_name
from shared.models import Claim, ConversationId, Query, Span
from shared.policy.ranking import rank_episodes
from shared.policy.ranking.episodes import FoundEpisodes
from shared.policy.ranking.relevance import choose_relevant
from shared.policy.ranking.weights import EPISODE_WEIGHTS, EpisodeWeights
from shared.recall.episodes import search_episodes
from shared.recall.messages import search_messages
from shared.recall.query import read_query
from shared.services import Services
from shared.store import episodes, messages
from shared.store.lease import claims
from shared.store.lease.kinds import EPISODE
from tests.embedding import embed_pending

TODAY = datetime(2024, 6, 1, tzinfo=UTC)
CUTS = (1, 3)
NO_IMPORTED_EPISODES = (
    100_000  # turns; otherwise an import would claim episodes of its longer sessions
)
LEASE_S = 30.0
BEFORE = EpisodeWeights(messages=0.0, meaning=1.0, words=0.5)  # before messages counted


@dataclass(frozen=True, kw_only=True)
class Case:
    """A question, what each kind of search found for it, and how long that took."""

    chat: str
    titles: Mapping[str, str]
    asked: Asked
    found: FoundEpisodes
    taken_ms: float


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
def main(folder: Path) -> None:
    chats = read_chats(folder)
    with open_services("", "", episode_trigger_turns=NO_IMPORTED_EPISODES) as services:
        upgrade(services.settings.database_url)
        fill(services, chats)
        for chat in chats:
            write_episodes(services, chat)
        print(f"{embed_pending(services)} episodes")
        cases = [case for chat in chats for case in gather(services, chat)]
    report(cases)


def write_episodes(services: Services, chat: Chat) -> None:
    """As a worker does, but without asking a model."""
    for conversation_id, title in list_titles(services, user_of(chat)).items():
        with services.database.transaction(user=user_of(chat)) as connection:
            key = ConversationId(conversation_id)
            write_episode(connection, key, chat.summaries[title])


def write_episode(connection: PgConnection, conversation_id: ConversationId, summary: str) -> None:
    turns = messages.list_messages(
        connection, conversation_id, Span(start=0, end=NO_IMPORTED_EPISODES)
    )
    span = Span(start=0, end=turns[-1].sequence_number)
    claim = _claim(connection, conversation_id, span)
    new = episodes.NewEpisode(
        summary=summary,
        key_concepts=[],
        started_at=turns[0].created_at,
        ended_at=turns[-1].created_at,
        model="LoCoMo",
        prompt_version="-",
    )
    episodes.complete_episode(connection, claim, new)


def _claim(connection: PgConnection, conversation_id: ConversationId, span: Span) -> Claim:
    due = episodes.claim_episode(connection, conversation_id, span, LEASE_S)
    claim = claims.begin(connection, EPISODE, due.job_id, LEASE_S) if due else None
    if claim is None:
        raise SystemExit(f"{conversation_id} has an episode at work")
    return claim


def gather(services: Services, chat: Chat) -> Iterator[Case]:
    user, titles = user_of(chat), list_titles(services, user_of(chat))
    model = model_name(services.settings)
    questions = [question for question in chat.questions if question.groups]
    queries = [
        Query(user_id=user, text=question.text, asked_at=TODAY, model=model)
        for question in questions
    ]
    with services.database.transaction(user=user) as connection:
        readings = [read_query(connection, query) for query in queries]
    texts = [reading.question.for_meaning for reading in readings]
    vectors = encode_queries(texts, services.settings)
    for question, as_read, encoded in zip(questions, readings, vectors, strict=True):
        reading = as_read.with_vectors(encoded)
        with services.database.transaction(user=user) as connection:
            got = search_messages(connection, reading)
            began = time.perf_counter()
            relevant = choose_relevant(got.ranked, got.criteria)
            hits = search_episodes(connection, reading.query, relevant)
            taken_ms = (time.perf_counter() - began) * 1000
        yield Case(chat=chat.name, titles=titles, asked=question, found=hits, taken_ms=taken_ms)


def report(cases: Sequence[Case]) -> None:
    print(f"{'':34}" + "".join(f"{f'S@{cut}':>8}" for cut in CUTS) + f"{'n':>6}")
    for name in ("meaning", "words", "messages"):
        alone = EpisodeWeights(
            **{field.name: float(field.name == name) for field in fields(EpisodeWeights)}
        )
        score(f"by {name} alone", cases, alone)
    score("by meaning and words, as before", cases, BEFORE)
    score("by meaning and words, as now", cases, replace(EPISODE_WEIGHTS, messages=0.0))
    score("as the product joins them", cases, EPISODE_WEIGHTS)
    for kind, members in sorted(_by_kind(cases).items()):
        score(f"  {kind}", members, EPISODE_WEIGHTS)
    for field in fields(EpisodeWeights):
        value = getattr(EPISODE_WEIGHTS, field.name)
        for times in (0.0, 0.5, 2.0):
            changed = replace(EPISODE_WEIGHTS, **{field.name: value * times})
            score(f"{field.name} {value * times:g}", cases, changed)
    print(
        f"\nlooking for episodes: p50 {statistics.median(case.taken_ms for case in cases):.1f} ms"
    )


def _by_kind(cases: Sequence[Case]) -> dict[str, list[Case]]:
    groups: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        groups[case.asked.kind].append(case)
    return groups


def score(name: str, cases: Sequence[Case], weights: EpisodeWeights) -> None:
    answered = [_answer(case, weights) for case in cases]
    cells = "".join(f"{mean_sessions_found(answered, cut):>8.1f}" for cut in CUTS)
    print(f"{name:34}{cells}{len(answered):>6}")


def _answer(case: Case, weights: EpisodeWeights) -> Answered:
    ranked = rank_episodes(case.found, max(CUTS), weights)
    spots = [(case.titles[episode.conversation_id], -1) for episode in ranked]
    return Answered(chat=case.chat, asked=case.asked, ranked=spots)


if __name__ == "__main__":
    main()
