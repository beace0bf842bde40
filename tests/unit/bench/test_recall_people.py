from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.recall_people import is_plain_form, read_people
from bench.recall_people_scores import has_all, has_any

LANGUAGES = Path("bench/languages.json")


def write(folder: Path, **changes: Any) -> Path:
    person = {
        "conversations": [
            {
                "date": "2023-04-27",
                "messages": [
                    {"role": "user", "content": "hello"},
                    {"role": "user", "content": "it is me"},
                    {"role": "assistant", "content": "hello!"},
                ],
            },
            {"date": "2023-04-01", "messages": [{"role": "assistant", "content": "welcome"}]},
        ],
        "questions": [
            {"question": "Who?", "answer": "me", "needed": [[["2023-04-27", 1]]]},
            {"question": "Where?", "answerable": False},
        ],
    }
    path = folder / "people.json"
    path.write_text(json.dumps({"Ada": person | changes}))
    return path


def test_messages_are_numbered_as_the_import_joins_them(tmp_path: Path) -> None:
    [person] = read_people(write(tmp_path))
    assert person.questions[0].groups == (frozenset({("2023-04-27", 0)}),)
    assert [one["title"] for one in person.sessions] == ["2023-04-01", "2023-04-27"]
    assert person.sessions[1]["messages"][2]["created_at"] == "2023-04-27T10:02:00+00:00"


def test_a_question_without_an_answer_needs_nothing(tmp_path: Path) -> None:
    [person] = read_people(write(tmp_path))
    assert person.questions[1].groups == ()


@pytest.mark.parametrize("spot", [["2023-04-27", 3], ["2023-04-28", 0]])
def test_a_message_that_is_not_there_is_an_error(tmp_path: Path, spot: list[Any]) -> None:
    path = write(tmp_path, questions=[{"question": "Who?", "needed": [[spot]]}])
    with pytest.raises(ValueError, match="unknown message"):
        read_people(path)


def test_an_answerable_question_needs_a_message(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="names no message"):
        read_people(write(tmp_path, questions=[{"question": "Who?", "answerable": True}]))


def test_a_file_of_locomo_is_not_in_the_plain_form(tmp_path: Path) -> None:
    path = tmp_path / "26.json"
    path.write_text(json.dumps({"speaker_a": "Ada", "session_1": [], "qa": []}))
    assert not is_plain_form(path)
    assert is_plain_form(write(tmp_path))


def test_one_message_of_each_group_is_needed() -> None:
    groups = (frozenset({("a", 1), ("a", 2)}), frozenset({("b", 1)}))
    assert has_all(groups, [("a", 2), ("b", 1)])
    assert not has_all(groups, [("a", 1), ("a", 2)])
    assert has_any(groups, [("b", 1)])


def test_the_set_of_languages_has_thirty_questions_each() -> None:
    people = read_people(LANGUAGES)
    assert len(people) == 6
    for person in people:
        assert len(person.questions) == 30
        assert sum(not one.groups for one in person.questions) == 5
