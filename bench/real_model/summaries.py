"""The quality of summaries and episodes: `python -m bench.real_model summaries`.

`python -m bench.real_model.summaries 1 4` plays conversations 1 and 4 and prints their memory.

Twelve conversations of 30 messages go through the product's own functions, with the model at
LLM_API_BASE. Jobs run after every third round, as with a slow model, and at the end until none is
left. Each summary is judged as a prompt would have contained it. The judgement compares texts and
words, and uses none of the functions that made the summary.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from difflib import SequenceMatcher

from bench.harness.services import open_services
from bench.real_model.conversations import Talk, read_talks
from bench.real_model.model import real_model_settings
from shared.derivations.kinds import do_job
from shared.llm.providers.litellm_setup import load_litellm
from shared.models import ConversationId, Episode, Kind, Outcome
from shared.policy.wording import find_content
from shared.services import Services
from shared.store import episodes, summaries, usage
from tests.integration.conversing import Conversing
from tests.integration.worker import list_jobs, work_off

LAG_ROUNDS = 3
MEASURED = ("summary", "episode")
ALIKE = 0.85  # two texts are the same point from here on
SUPPORTED = 0.5  # of a point's content words stand in the messages that it names


@dataclass(frozen=True, kw_only=True)
class Judged:
    """Counts, over all summaries and episodes of a conversation."""

    summaries: int
    points: int
    distinct: int
    faithful: int
    episodes: int
    borne_out: int
    fallbacks: int
    calls: int
    seconds: float


def main(only: Sequence[int] = (), *, show: bool = False) -> None:
    """`only` are numbers of conversations, from 1 on. `show` prints their memory."""
    logging.disable(logging.WARNING)
    if (settings := real_model_settings()) is None:
        return
    load_litellm()
    talks = [talk for at, talk in enumerate(read_talks(), 1) if not only or at in only]
    print(f"{settings.effective_memory_model}: {len(talks)} conversations", flush=True)
    judged = [play(talk, show) for talk in talks]
    print_line("together", add(judged))


def play(talk: Talk, show: bool) -> Judged:
    """On services of its own, so that jobs of no other conversation take its time."""
    with open_services() as services:
        began = time.perf_counter()
        conversing = Conversing(services)
        for number, (text, reply) in enumerate(talk.rounds, 1):
            conversing.close(conversing.open(text), Outcome(status="complete", content=reply))
            if number % LAG_ROUNDS == 0:
                work(services)
        work_off(services, do_measured)
        seconds = time.perf_counter() - began
        judged = judge(services, conversing, talk, seconds)
        if show:
            print_memory(services, conversing)
    print_line(talk.title, judged)
    return judged


def work(services: Services) -> None:
    for due in list_jobs(services, "processing"):
        do_measured(services, due.kind, due.job_id)


def do_measured(services: Services, kind: Kind, job_id: int) -> None:
    """Skip facts and titles, which are measured elsewhere."""
    if kind in MEASURED:
        do_job(services, kind, job_id)
        return
    with services.database.transaction() as connection, connection.cursor() as cursor:
        for table in ("fact_extractions", "titles"):
            cursor.execute(f"UPDATE {table} SET status = 'completed'")  # noqa: S608


def judge(services: Services, conversing: Conversing, talk: Talk, seconds: float) -> Judged:
    conversation_id = ConversationId(conversing.conversation_id or "")
    with services.database.transaction() as connection:
        all_rows = summaries.list_summaries(connection, conversation_id)
        calls = sum(row.calls for row in usage.list_usage(connection, conversation_id))
    rows = [row for row in all_rows if row.status == "completed"]
    episode_rows = list_episodes(services, conversing)
    points = [point for row in rows for point in row.points]
    return Judged(
        summaries=len(rows),
        points=len(points),
        distinct=sum(count_distinct([point.text for point in row.points]) for row in rows),
        faithful=sum(is_borne_out(p.text, talk.messages[p.first : p.last + 1]) for p in points),
        episodes=len(episode_rows),
        borne_out=sum(
            is_borne_out(episode.summary, talk.messages[episode.span.start : episode.span.end + 1])
            for episode in episode_rows
        ),
        fallbacks=sum(row.is_fallback for row in rows)
        + sum(episode.is_fallback for episode in episode_rows),
        calls=calls,
        seconds=seconds,
    )


def list_episodes(services: Services, conversing: Conversing) -> list[Episode]:
    """Newest first."""
    with services.database.transaction() as connection:
        return episodes.list_episodes(
            connection,
            conversing.user_id,
            conversation_id=ConversationId(conversing.conversation_id or ""),
            limit=100,
            before_id=None,
        )


def count_distinct(texts: Sequence[str]) -> int:
    distinct_texts: list[str] = []
    for text in texts:
        if not any(SequenceMatcher(None, text, other).ratio() >= ALIKE for other in distinct_texts):
            distinct_texts.append(text)
    return len(distinct_texts)


def is_borne_out(text: str, messages: Iterable[str]) -> bool:
    """Whether enough of its content words are in any of `messages`."""
    words = find_content(text)
    common_words = words & {word for message in messages for word in find_content(message)}
    return bool(words) and len(common_words) / len(words) >= SUPPORTED


def print_memory(services: Services, conversing: Conversing) -> None:
    conversation_id = ConversationId(conversing.conversation_id or "")
    with services.database.transaction() as connection:
        newest = summaries.find_newest_summary(connection, conversation_id)
    print(newest.memory_text if newest else "no summary")
    for episode in list_episodes(services, conversing)[::-1]:
        span = f"{episode.span.start}-{episode.span.end}"
        print(f"  {span}: {episode.summary} {list(episode.key_concepts)}")


def add(judged: Sequence[Judged]) -> Judged:
    sums = (sum(column) for column in zip(*map(astuple, judged), strict=True))
    return Judged(**dict(zip((field.name for field in fields(Judged)), sums, strict=True)))


def print_line(title: str, verdict: Judged) -> None:
    print(
        f"{title}: {verdict.summaries} summaries, {verdict.distinct} of {verdict.points} points "
        f"distinct, {verdict.faithful} faithful; {verdict.borne_out} of {verdict.episodes} "
        f"episodes borne out; {verdict.fallbacks} fallbacks, {verdict.calls} calls, "
        f"{verdict.seconds:.0f} s",
        flush=True,
    )


if __name__ == "__main__":
    main([int(number) for number in sys.argv[1:]], show=True)
