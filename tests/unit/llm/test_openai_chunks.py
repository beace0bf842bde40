"""What is read from one chunk of a stream of OpenAI's protocol."""

from __future__ import annotations

from typing import Any

import pytest

from shared.llm.providers.openai_chunks import read_chunk
from tests.integration.llm.raw_server import delta


@pytest.mark.parametrize(
    "chunk",
    [
        {},
        {"choices": None},
        {"choices": {}},
        {"choices": [None]},
        {"choices": [{"delta": None}]},
        {"choices": [{"delta": {"content": 7, "tool_calls": [None, 1]}, "finish_reason": 7}]},
        {"choices": [], "usage": {"prompt_tokens": "many", "completion_tokens": -1}},
    ],
)
def test_fields_of_a_wrong_type_count_as_absent(chunk: dict[str, Any]) -> None:
    result = read_chunk(chunk)

    assert (result.text, result.finish_reason) == ("", None)
    assert result.usage is None or (result.usage.tokens_in, result.usage.tokens_out) == (0, 0)


def test_content_in_parts_is_joined() -> None:
    parts = [{"type": "thinking"}, {"type": "text", "text": "It is "}, {"text": "blue."}]

    assert read_chunk(delta(content=parts)).text == "It is blue."
