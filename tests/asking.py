"""Queries and questions for tests."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time

from shared.models import Query, Speaker, UserId
from shared.policy.ranking.question import Names, Question, read_question

TODAY = date(2024, 4, 10)  # a Wednesday


def make_query(
    text: str = "Which film was it?", user_id: str = "ada", today: date = TODAY
) -> Query:
    """Without vectors, asked at noon in UTC."""
    asked_at = datetime.combine(today, time(12), UTC)
    return Query(user_id=UserId(user_id), text=text, asked_at=asked_at, model="m")


def read(
    text: str, *own_names: str, speakers: Sequence[Speaker] = (), today: date = TODAY
) -> Question:
    return read_question(make_query(text, today=today), Names(speakers=speakers, of_user=own_names))
