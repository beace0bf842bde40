"""Times in many languages, seen from a Friday."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from shared.policy.ranking.dates import read_dates

TODAY = date(2024, 6, 28)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Worüber haben wir am 5. Mai gesprochen?", (None, [5], 5)),
        ("Was war am fünften Mai 2023?", (2023, [5], 5)),
        ("im Mai", (None, [5], None)),
        ("am 05.03.2023", (2023, [3], 5)),
        ("¿De qué hablamos el 3 de mayo de 2023?", (2023, [5], 3)),
        ("el tres de mayo", (None, [5], 3)),
        ("le 1er avril", (None, [4], 1)),
        ("le 14 juillet 2022", (2022, [7], 14)),
        ("em 7 de março", (None, [3], 7)),
        ("il 2 giugno", (None, [6], 2)),
        ("op 3 maart", (None, [3], 3)),
        ("3 Mayıs'ta", (None, [5], 3)),
        ("w maju", (None, [5], None)),
        ("12 sierpnia", (None, [8], 12)),
        ("О чём мы говорили 4 мая?", (None, [5], 4)),
        ("пятого мая", (None, [5], 5)),
        ("в мае 2023", (2023, [5], None)),
        ("4月27号我们聊了什么？", (None, [4], 27)),
        ("四月二十七号", (None, [4], 27)),
        ("二〇二三年十一月三十日", (2023, [11], 30)),
        ("2023年5月", (2023, [5], None)),
        ("上个月十五号", (2024, [5], 15)),
        ("5月4日に何を話しましたか", (None, [5], 4)),
        ("５月４日", (None, [5], 4)),
        ("4월 27일에", (None, [4], 27)),
        ("في 3 مايو", (None, [5], 3)),
        ("يوم ٤ مايو", (None, [5], 4)),
        ("الثالث من أيار", (None, [5], 3)),
        ("3 मई को", (None, [5], 3)),
        ("मई में", (None, [5], None)),
        ("5 května", (None, [5], 5)),
        ("on 27/4/2023", (2023, [4], 27)),
    ],
)
def test_days_and_months_are_read_in_any_language(text: str, expected: Any) -> None:
    times = [
        (named_time.year, sorted(named_time.months), named_time.day)
        for named_time in read_dates(text, TODAY)
    ]
    assert times == [expected]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("gestern", date(2024, 6, 27)),
        ("anteayer", date(2024, 6, 26)),
        ("一昨日", date(2024, 6, 26)),
        ("قبل يومين", date(2024, 6, 26)),
        ("이틀 전에", date(2024, 6, 26)),
        ("il y a un jour", date(2024, 6, 27)),
        ("há um dia", date(2024, 6, 27)),
        ("昨天你说了什么", date(2024, 6, 27)),
        ("上周二", date(2024, 6, 18)),
        ("先週の火曜日", date(2024, 6, 18)),
        ("в прошлый вторник", date(2024, 6, 25)),
        ("в прошлую среду", date(2024, 6, 26)),
        ("letzten Montag", date(2024, 6, 24)),
        ("el martes pasado", date(2024, 6, 25)),
        ("last Tuesday", date(2024, 6, 25)),
        ("يوم الثلاثاء الماضي", date(2024, 6, 25)),
        ("어제", date(2024, 6, 27)),
    ],
)
def test_days_are_counted_from_today(text: str, day: date) -> None:
    first = read_dates(text, TODAY)[0]
    assert (first.first, first.last) == (day, day)


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("vor zwei Wochen", date(2024, 6, 14)),
        ("hace 3 meses", date(2024, 3, 30)),
        ("il y a deux semaines", date(2024, 6, 14)),
        ("две недели назад", date(2024, 6, 14)),
        ("两个星期前", date(2024, 6, 14)),
        ("3週間前", date(2024, 6, 7)),
        ("قبل 2 أسابيع", date(2024, 6, 14)),
        ("上个星期", date(2024, 6, 20)),
        ("в прошлом месяце", date(2024, 5, 20)),
        ("letzten Monat", date(2024, 5, 20)),
        ("el verano", date(2023, 7, 20)),
    ],
)
def test_spans_are_counted_from_today(text: str, inside: date) -> None:
    [named_time] = read_dates(text, TODAY)
    assert named_time.matches_month(inside)


@pytest.mark.parametrize(
    "text",
    ["¿Qué set de té compré?", "der Planet Mars", "Martha hat Mut", "三个月的孩子", "room 12.5"],
)
def test_words_that_only_look_like_dates_are_none(text: str) -> None:
    assert read_dates(text, TODAY) == ()


@pytest.mark.parametrize(
    ("text", "middle"),
    [
        ("неделю назад", date(2024, 6, 21)),
        ("tydzień temu", date(2024, 6, 21)),
        ("قبل أسبوع", date(2024, 6, 21)),
        ("قبل أسبوعين", date(2024, 6, 14)),
        ("il y a une semaine", date(2024, 6, 21)),
    ],
)
def test_a_week_ago_may_have_no_number(text: str, middle: date) -> None:
    [named_time] = read_dates(text, TODAY)
    assert named_time.first is not None
    assert named_time.last is not None
    assert named_time.first < middle < named_time.last
    assert (named_time.last - named_time.first).days <= 7


def test_three_days_ago_in_chinese_is_not_the_day_before_yesterday() -> None:
    assert read_dates("大前天", TODAY) == ()


def test_the_short_names_of_days_are_read_in_portuguese() -> None:
    assert read_dates("na terça passada", TODAY) == read_dates("na terça-feira passada", TODAY)
