from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.recall.data import read_chats
from bench.recall.locomo import ADVERSARIAL
from bench.recall.scores import share_found

LANGUAGES = Path("bench/recall/languages.json")


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
    [person] = read_chats(write(tmp_path))
    assert person.questions[0].groups == (frozenset({("2023-04-27", 0)}),)
    assert [session["title"] for session in person.sessions] == ["2023-04-01", "2023-04-27"]
    assert person.sessions[1]["messages"][2]["created_at"] == "2023-04-27T10:02:00+00:00"


def test_a_question_without_an_answer_needs_nothing(tmp_path: Path) -> None:
    [person] = read_chats(write(tmp_path))
    assert person.questions[1].groups == ()


@pytest.mark.parametrize("spot", [["2023-04-27", 3], ["2023-04-28", 0]])
def test_a_message_that_is_not_there_is_an_error(tmp_path: Path, spot: list[Any]) -> None:
    path = write(tmp_path, questions=[{"question": "Who?", "needed": [[spot]]}])
    with pytest.raises(ValueError, match="unknown message"):
        read_chats(path)


def test_an_answerable_question_needs_a_message(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="names no message"):
        read_chats(write(tmp_path, questions=[{"question": "Who?", "answerable": True}]))


def test_days_without_messages_are_passed_over(tmp_path: Path) -> None:
    talks = [
        {"date": "2023-04-27", "messages": []},
        {"date": "2023-04-28", "messages": [{"role": "user", "content": "hello"}]},
    ]
    [person] = read_chats(write(tmp_path, conversations=talks, questions=[]))
    assert [session["title"] for session in person.sessions] == ["2023-04-28"]


def test_a_question_is_asked_on_its_day_else_after_the_last_conversation(tmp_path: Path) -> None:
    questions = [
        {"question": "Who?", "answerable": False, "asked_on": "2023-04-20", "kind": "fact"},
        {"question": "Where?", "answerable": False},
    ]
    [person] = read_chats(write(tmp_path, questions=questions))
    days = [(str(person.day_of(question)), question.kind) for question in person.questions]
    assert days == [("2023-04-20", "fact"), ("2023-04-28", "")]


def test_a_file_of_locomo_is_read_with_its_kinds(tmp_path: Path) -> None:
    turns = [
        {"speaker": "Ada", "dia_id": "D2:1", "text": "I moved."},
        {"speaker": "Bo", "dia_id": "D2:2", "text": "Where?"},
    ]
    questions = [
        {"question": "Who?", "answer": "Ada", "category": 4, "evidence": ["D2:1", "D9:9"]},
        {"question": "Bo?", "answer": "", "category": 5, "evidence": ["D2:2"]},
        {"question": "Lost?", "answer": "", "category": 4, "evidence": ["D9:9"]},
    ]
    path = tmp_path / "26.json"
    path.write_text(
        json.dumps(
            {
                "speaker_a": "Ada", "qa": questions, "session_1": [],
                "session_2": turns, "session_2_date_time": "1:56 pm on 8 May, 2023",
            }
        )
    )  # fmt: skip
    [chat] = read_chats(tmp_path)
    assert [(question.kind, question.groups) for question in chat.questions] == [
        ("single-hop", (frozenset({("Session 2", 0)}),)),
        (ADVERSARIAL, ()),
    ]
    assert str(chat.day_of(chat.questions[0])) == "2023-05-09"


def test_one_message_of_each_group_is_needed() -> None:
    groups = (frozenset({("a", 1), ("a", 2)}), frozenset({("b", 1)}))
    assert share_found(groups, [("a", 2), ("b", 1)]) == 1
    assert share_found(groups, [("a", 1), ("a", 2)]) == 0.5


def test_the_set_of_languages_has_thirty_questions_each() -> None:
    people = read_chats(LANGUAGES)
    assert len(people) == 6
    for person in people:
        assert len(person.questions) == 30
        assert sum(not question.groups for question in person.questions) == 5
