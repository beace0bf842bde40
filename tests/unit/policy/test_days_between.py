"""How many days lie between the dates in quotes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from shared.models import ConversationId, Quote
from shared.policy.budget import Room
from shared.policy.days_between import MOST_DAYS, count_days_between
from shared.policy.prompt import Frame, build_memory, build_prompt
from shared.policy.recalled import Recalled

NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)
WORDS = {"draft": 2.0, "sow": 1.5, "bean": 1.0, "begin": 0.5}


def quote(text: str, said_at: datetime = datetime(2026, 4, 1, 9, tzinfo=UTC)) -> Quote:
    return Quote(
        conversation_id=ConversationId("c"),
        sequence_number=0,
        role="user",
        name=None,
        said_at=said_at,
        text=text,
        score=1.0,
    )


def test_each_two_days_are_told_how_far_they_are_apart_and_from_today() -> None:
    quotes = [quote("The draft is due on April 29, 2026."), quote("I sowed on 2026-03-30.")]
    assert count_days_between(quotes, WORDS, NOW) == [
        "- March 30, 2026 to April 29, 2026: 30 days",
        "- March 30, 2026: 51 days ago",
        "- April 29, 2026: 21 days ago",
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("I sowed the beans today.", "- April 1, 2026: 49 days ago"),
        ("I sowed the beans.", "- April 1, 2026: 49 days ago"),
        ("I sowed the beans yesterday.", "- March 31, 2026: 50 days ago"),
        ("We met on 28 December.", "- December 28, 2025: 143 days ago"),
        ("Wir trafen uns am 3. März.", "- March 3, 2026: 78 days ago"),
        ("We meet in May 2026.", "- April 1, 2026: 49 days ago"),
        ("The party is on 19 May.", "- May 19, 2026: 1 day ago"),
        ("The party is on 20 May.", "- May 20, 2026: today"),
        ("The party is on 30 May.", "- May 30, 2026: in 10 days"),
    ],
)
def test_a_day_is_the_one_that_is_near_or_that_of_the_message(text: str, line: str) -> None:
    assert count_days_between([quote(text)], WORDS, NOW) == [line]


def test_days_are_those_of_the_users_clock() -> None:
    late = quote("I sowed the beans.", datetime(2026, 4, 1, 23, tzinfo=UTC))
    athens = NOW.astimezone(timezone(timedelta(hours=3)))
    assert count_days_between([late], WORDS, athens) == ["- April 2, 2026: 48 days ago"]


def test_of_many_days_those_beside_the_questions_words_are_told() -> None:
    rain = [quote(f"On 2026-03-{number:02} it rained.") for number in range(1, 31)]
    far = "and it was a long, quiet and rather uneventful time with nothing to do, " * 3
    both = quote(f"I sowed beans on 3 February, {far} and on 9 February the draft was begun.")
    lines = count_days_between([*rain, both], WORDS, NOW)
    assert "- February 3, 2026 to February 9, 2026: 6 days" in lines
    assert len(lines) == 2 * MOST_DAYS


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ("我在3月3日完成了初稿。", "截止日期是4月15日。", {"初稿": 1.0, "截止": 1.0}),
        ("Ich sah Uli am 3. März.", "Abgabe ist am 15. April.", {"uli": 1.0, "abgab": 1.0}),
    ],
)  # fmt: skip
def test_days_are_read_in_other_languages(first: str, second: str, words: dict[str, float]) -> None:
    rain = [quote(f"It rained on 2026-01-{number:02}.") for number in range(1, 9)]
    lines = count_days_between([*rain, quote(first), quote(second)], words, NOW)
    assert "- March 3, 2026 to April 15, 2026: 43 days" in lines


def test_without_quotes_there_are_none() -> None:
    assert count_days_between([], WORDS, NOW) == []


def test_hostile_texts_are_read() -> None:
    texts = [
        "9999-99-99",
        "0000-00-00",
        "31 February",
        "1 May " * 400,
        "(" * 400,
        "\u0663 \u0645\u0627\u064a\u0648",
    ]
    assert (
        len(count_days_between([quote(text) for text in texts], {"(": 1.0}, NOW)) <= 2 * MOST_DAYS
    )


QUOTES = [quote("The draft is due on 1 June."), quote("I began on 12 May.")]
LINES = count_days_between(QUOTES, WORDS, NOW)
LINE = "- May 12, 2026 to June 1, 2026: 20 days"


def words(text: str) -> int:
    return len(text.split())


def prompt_of(recalled: Recalled, tokens: int = 4000) -> str:
    frame = Frame(agent_prompt="You are kind.", now=NOW, current="And now?")
    return build_prompt(frame, recalled, Room(tokens=tokens), words).messages[-1][1]


def test_who_asks_how_long_is_told_the_days() -> None:
    recalled = Recalled(quotes=QUOTES, days_between=LINES)
    assert LINE in prompt_of(recalled)
    assert LINE in build_memory(recalled, UTC, 4000, words)[0]


def test_where_there_is_little_room_the_quotes_have_it() -> None:
    prompt = prompt_of(Recalled(quotes=QUOTES, days_between=LINES), tokens=30)
    assert "I began on 12 May." in prompt
    assert "Days between" not in prompt
