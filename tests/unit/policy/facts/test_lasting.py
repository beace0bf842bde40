"""Until which day something holds, by the words of its message."""

from __future__ import annotations

from datetime import date

import pytest

from shared.policy.facts.lasting import read_end

WEDNESDAY = date(2026, 11, 25)


@pytest.mark.parametrize(
    ("text", "value", "end"),
    [
        ("I'm in Rome until Friday.", "Rome", date(2026, 11, 27)),
        ("I'm in Rome until Wednesday.", "Rome", date(2026, 12, 2)),
        ("I'm in Rome until tomorrow.", "Rome", date(2026, 11, 26)),
        ("I am staying at the Ritz until 3 December.", "the Ritz", date(2026, 12, 3)),
        ("I'm on leave till January 4th, 2027, then back.", "on leave", date(2027, 1, 4)),
        ("Until the 4th of March I rent a flat in Lyon", "a flat in Lyon", date(2027, 3, 4)),
        ("I can't eat dairy until 2026-12-10.", "can't eat dairy", date(2026, 12, 10)),
        ("I'm with Siemens until February.", "Siemens", date(2027, 2, 28)),
        ("I work from home until next Monday", "from home", date(2026, 11, 30)),
        ("Ich wohne bis zum 3. Dezember im Hotel Adler.", "Hotel Adler", date(2026, 12, 3)),
        ("Ich bin bis Freitag in Rom.", "Rom", date(2026, 11, 27)),
        ("Je suis à Lyon jusqu'au 12 décembre.", "Lyon", date(2026, 12, 12)),
        ("Estoy en Roma hasta el viernes.", "Roma", date(2026, 11, 27)),
        ("Ben tot vrijdag in Gent", "Gent", date(2026, 11, 27)),
        ("Estou no Porto até sexta-feira.", "Porto", date(2026, 11, 27)),
        ("Sono a Roma fino a venerdì.", "Roma", date(2026, 11, 27)),
        ("Я в Риме до пятницы.", "Рим", date(2026, 11, 27)),
        ("أنا في روما حتى الجمعة.", "روما", date(2026, 11, 27)),
        ("Cumaya kadar Roma'dayım.", "Roma", date(2026, 11, 27)),
        ("Cumartesiye kadar Roma'dayım.", "Roma", date(2026, 11, 28)),
        ("金曜日までローマにいます。", "ローマ", date(2026, 11, 27)),
        ("मैं शुक्रवार तक रोम में हूँ।", "रोम", date(2026, 11, 27)),
        ("我在罗马待到星期五。", "罗马", date(2026, 11, 27)),
        ("我到周五在罗马。", "罗马", date(2026, 11, 27)),
    ],
)
def test_the_last_day(text: str, value: str, end: date) -> None:
    assert read_end(text, value, WEDNESDAY) == end


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I live in Rome.", "Rome"),
        ("I live in Rome. The shop is open until Friday.", "Rome"),
        ("I live in Rome until my lease ends.", "Rome"),
        ("I work in Rome until 5 pm.", "Rome"),
        ("I stay up until late.", "up"),
        ("I live in Rome until I say otherwise on Friday.", "Rome"),
        ("Until Friday I am in Rome.", "Oslo"),
        ("I live in Rome until", "Rome"),
        ("I will stay in Rome until 31 February.", "Rome"),
    ],
)
def test_no_day_is_named_for_it(text: str, value: str) -> None:
    assert read_end(text, value, WEDNESDAY) is None
