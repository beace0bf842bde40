from __future__ import annotations

from datetime import date

import pytest

from shared.offline.replies.relative_dates import ASKS_WHEN, find_when

TOLD = date(2023, 1, 31)


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("I met her yesterday.", "30 January 2023"),
        ("We arrived today!", "31 January 2023"),
        ("The party is tomorrow.", "1 February 2023"),
        ("We went skiing last week.", "the week before 31 January 2023"),
        ("Last Fri I took the kids to a workshop.", "the Friday before 31 January 2023"),
        ("I leave next Tuesday.", "the Tuesday after 31 January 2023"),
        ("I started two months ago.", "two months before 31 January 2023"),
        ("I moved last month.", "December 2022"),
        ("The fair is next month.", "February 2023"),
        ("We married last year.", "2022"),
        ("We met in the summer of 1999.", ""),
        ("At last we know.", ""),
    ],
)
def test_a_plain_phrase_is_worked_out_from_the_day_on_which_it_was_said(
    text: str, when: str
) -> None:
    assert find_when(text, TOLD) == when


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("When did we meet?", True),
        ("On which day was it?", True),
        ("What did we do?", False),
        ("Whenever?", False),
    ],
)
def test_a_question_for_a_time_is_known(question: str, asks: bool) -> None:
    assert bool(ASKS_WHEN.search(question)) is asks
