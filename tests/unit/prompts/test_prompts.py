from __future__ import annotations

import json
import re
from typing import Any

import pytest

from shared.llm.schemas import EpisodeAnswer, FactCandidate, SummaryAnswer
from shared.models.job_kinds import KINDS
from shared.prompts import load_prompt


@pytest.mark.parametrize("task", KINDS)
def test_a_prompt_begins_with_its_task_and_has_a_version(task: Any) -> None:
    prompt = load_prompt(task)

    assert prompt.text.startswith(f"Task: {task}\n")
    assert "Version" not in prompt.text
    assert re.fullmatch(r"\d{4}-\d{2}-\d{2}\.\d+", prompt.version)


@pytest.mark.parametrize("task", KINDS)
def test_every_prompt_calls_its_input_data(task: Any) -> None:
    assert "data" in load_prompt(task).text


@pytest.mark.parametrize(
    ("task", "form"),
    [
        ("summary", SummaryAnswer),
        ("episode", EpisodeAnswer),
    ],
)
def test_the_example_in_a_prompt_fits_the_form_that_is_checked(task: str, form: Any) -> None:
    example = load_prompt(task).text.splitlines()[-1]

    answer = form.model_validate_json(example)

    # As given and as read: nothing was dropped as unusable, nothing left out.
    assert answer.model_dump() == json.loads(example) or task == "episode"
    assert all(answer.model_dump().values())


def test_the_prompt_for_facts_has_no_example_that_could_be_taken_for_an_answer() -> None:
    example = load_prompt("facts").text.splitlines()[-1]
    assert '"value"' not in example
    assert all(f"`{name}`" in load_prompt("facts").text for name in FactCandidate.model_fields)
