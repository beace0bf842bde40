"""What the jobs send to the memory model."""

from __future__ import annotations

import pytest

from shared.derivations.request import memory_request, with_input
from shared.models import Kind
from shared.models.job_kinds import DERIVATIONS, KINDS
from shared.prompts import load_prompt
from shared.settings import read_settings

SETTINGS = read_settings(memory_model="memory-model")


@pytest.mark.parametrize("task", KINDS)
def test_each_task_has_its_instructions_its_purpose_and_its_own_limit(task: Kind) -> None:
    request = memory_request(task, SETTINGS)
    (instructions,) = request.messages
    assert (instructions.role, instructions.content) == ("system", load_prompt(task).text)
    assert (request.model, request.purpose) == ("memory-model", task)
    assert (request.max_tokens, request.temperature) == (DERIVATIONS[task].max_tokens, 0.0)


@pytest.mark.parametrize("task", KINDS)
def test_a_model_that_thinks_first_is_given_more_for_every_task(task: Kind) -> None:
    request = memory_request(task, read_settings(memory_max_tokens=5000))
    assert request.max_tokens == 5000


def test_the_input_follows_the_instructions_and_leaves_the_request_as_it_was() -> None:
    request = memory_request("title", SETTINGS)
    full_request = with_input(request, "<message/>")
    assert [message.role for message in full_request.messages] == ["system", "user"]
    assert full_request.messages[-1].content == "<message/>"
    assert len(request.messages) == 1
