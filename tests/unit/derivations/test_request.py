"""What the jobs send to the memory model."""

from __future__ import annotations

from typing import get_args

import pytest

from shared.derivations.request import JobTask, memory_request, with_input
from shared.prompts import load_prompt
from shared.settings import read_settings

SETTINGS = read_settings(
    memory_model="memory-model",
    summary_max_tokens=101,
    episode_max_tokens=102,
    facts_max_tokens=103,
    title_max_tokens=104,
)
MAX_TOKENS: dict[JobTask, int] = {"summary": 101, "episode": 102, "facts": 103, "title": 104}


@pytest.mark.parametrize("task", get_args(JobTask))
def test_each_task_has_its_instructions_its_purpose_and_its_own_limit(task: JobTask) -> None:
    request = memory_request(task, SETTINGS)
    (instructions,) = request.messages
    assert (instructions.role, instructions.content) == ("system", load_prompt(task).text)
    assert (request.model, request.purpose) == ("memory-model", task)
    assert (request.max_tokens, request.temperature) == (MAX_TOKENS[task], 0.0)


def test_the_input_follows_the_instructions_and_leaves_the_request_as_it_was() -> None:
    request = memory_request("title", SETTINGS)
    full_request = with_input(request, "<message/>")
    assert [message.role for message in full_request.messages] == ["system", "user"]
    assert full_request.messages[-1].content == "<message/>"
    assert len(request.messages) == 1
