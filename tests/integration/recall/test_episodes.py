"""Recall of episodes through the messages that they contain."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from shared.db import fetch_row
from shared.models import Episode, MessageKey, Outcome, Query, UserId
from shared.policy.budget import Room
from shared.recall.prompt import recall
from shared.services import Services
from shared.store.search import episode_hits
from shared.timing import Steps
from tests.asking import make_query
from tests.integration.conversing import USER, Conversing, NoEncoder
from tests.services import as_owner

QUERY = make_query(user_id=USER)
VAGUE = "They spoke about plans."
CLOSE_EPISODE = """
    INSERT INTO episodic_memory (user_id, conversation_id, turn_start, turn_end, summary, status,
                                 lease_until, started_at, ended_at)
    SELECT user_id, conversation_id, %(start)s, %(end)s, %(summary)s, %(status)s, now(),
           %(at)s, %(at)s
    FROM conversations WHERE conversation_id = %(conversation_id)s RETURNING id
"""


def close_episode(
    talk: Conversing, start: int, end: int, summary: str = VAGUE, status: str = "completed"
) -> int:
    with as_owner(talk.services) as connection:
        row = fetch_row(
            connection,
            CLOSE_EPISODE,
            conversation_id=talk.conversation_id,
            start=start,
            end=end,
            summary=summary,
            status=status,
            at=datetime(2024, 5, 1 + start, tzinfo=UTC),
        )
    assert row is not None
    return int(row["id"])


def talk_of(product: Services, *texts: str, user_id: UserId = USER) -> Conversing:
    talk = Conversing(product, user_id=user_id)
    for text in texts:
        talk.close(talk.open(text), Outcome(status="complete", content="Fine."))
    return talk


def ask(product: Services, text: str, talk: Conversing | None = None) -> list[Episode]:
    open_round = (talk or Conversing(product)).open(text)
    return list(recall(product, NoEncoder(), open_round, Steps(), Room()).episodes)


def around(product: Services, scores: dict[MessageKey, float], query: Query = QUERY) -> Any:
    with as_owner(product) as connection:
        hits = episode_hits.list_hits(connection, query, scores, limit=9)
    return {hit.episode_id: hit.score for hit in hits["messages"]}


def test_an_episode_is_given_for_what_was_said_in_it_and_its_summary_leaves_out(
    product: Services,
) -> None:
    close_episode(talk_of(product, "Bread rises."), 0, 1, "They spoke about bread.")
    expected = close_episode(talk_of(product, "My zeppelin is silver."), 0, 1)
    assert [episode.episode_id for episode in ask(product, "Which zeppelin is it?")] == [expected]


def test_the_episode_with_the_answer_comes_before_one_that_is_summed_up_in_the_questions_words(
    product: Services,
) -> None:
    expected = close_episode(talk_of(product, "My zeppelin is called Rosinante."), 0, 1)
    other = close_episode(
        talk_of(product, "It rains."), 0, 1, "What a zeppelin is, and how each is called."
    )
    question = "How is my zeppelin called?"
    assert [episode.episode_id for episode in ask(product, question)] == [expected, other]


def test_with_nothing_relevant_said_the_summaries_are_searched_as_ever(product: Services) -> None:
    only = close_episode(talk_of(product, "It rains."), 0, 1, "They planned a week in Lisbon.")
    assert [episode.episode_id for episode in ask(product, "What about Lisbon?")] == [only]


def test_an_episode_that_the_prompt_holds_word_for_word_is_not_given(product: Services) -> None:
    talk = talk_of(product, "My zeppelin is silver.")
    close_episode(talk, 0, 1)
    assert ask(product, "Which zeppelin is it?", talk) == []


def test_places_lead_to_the_episodes_that_span_them_with_the_best_score(product: Services) -> None:
    talk = talk_of(product, *["Hello"] * 6)
    first, second = close_episode(talk, 0, 3), close_episode(talk, 4, 7)
    close_episode(talk, 8, 9, status="deleted")
    conversation_id = talk.conversation_id
    assert conversation_id is not None
    scores = dict.fromkeys((MessageKey(conversation_id, number) for number in range(12)), 1.0)
    assert around(product, scores | {MessageKey(conversation_id, 3): 2.5}) == {
        first: 2.5,
        second: 1.0,
    }
    assert around(product, scores, replace(QUERY, as_of=datetime(2024, 5, 2, tzinfo=UTC))) == {
        first: 1.0
    }
    assert around(product, scores, make_query(user_id="bob")) == {}
    assert around(product, {MessageKey(conversation_id, 9): 1.0}) == {}
    assert around(product, {}) == {}
