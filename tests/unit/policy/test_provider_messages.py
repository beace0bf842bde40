from __future__ import annotations

from pathlib import Path

import pytest

from shared.policy.provider_messages import MAX_CHARS, find_message, means_too_long, redact

CLIENT = "litellm.BadRequestError: ContextWindowExceededError"
ANTHROPIC = '{"type": "error", "error": {"type": "x", "message": "prompt is too long"}}'
FOLDER = Path(__file__).parent / "provider_messages"
TOO_LONG, OTHER = (
    (FOLDER / name).read_text("utf-8").splitlines() for name in ("too_long.txt", "other.txt")
)


@pytest.mark.parametrize("words", TOO_LONG)
def test_a_prompt_that_does_not_fit_is_known_in_every_wording(words: str) -> None:
    assert means_too_long(words)
    assert means_too_long(words.upper())


@pytest.mark.parametrize("words", OTHER)
def test_other_refusals_are_not_taken_for_it(words: str) -> None:
    assert not means_too_long(words)


@pytest.mark.parametrize(
    ("raised", "words"),
    [
        ("litellm.BadRequestError: OpenAIException - No such thing.", "No such thing."),
        (f"litellm.ContextWindowExceededError: {CLIENT}: OpenAIException - Long.", "Long."),
        (f"{CLIENT}: AnthropicError - {ANTHROPIC}", "prompt is too long"),
        (f"{CLIENT}: AnthropicError - b'{ANTHROPIC}'", "prompt is too long"),
        (f'{CLIENT}: Ollama_chatException - {{"error": "prompt too long"}}', "prompt too long"),
        ('VertexAIException - {"error": {"code": 400, "message": "Too\\nmany."}}', "Too many."),
        ('{"object": "error", "message": "Too long", "code": 400}', "Too long"),
        ('{"detail": [{"loc": 1}]}', '{"detail": [{"loc": 1}]}'),
        ("litellm.NotFoundError: OpenAIException - <html>nginx</html>", ""),
        ("{broken", "{broken"),
        ("", ""),
    ],
)  # fmt: skip
def test_the_sentence_is_found_in_what_a_client_raises(raised: str, words: str) -> None:
    assert find_message(raised) == words


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Incorrect API key provided: sk-abc***xyz.", "Incorrect API key provided: …"),
        ("Bearer abc.def is wrong", "Bearer… is wrong"),
        ("api_key=hunter2 is wrong", "api_key=… is wrong"),
        ("at http://me:pass@host/x", "at http://…host/x"),
        ("key AIzaSyD4x8Jk2mN5pQ7rT9vW1yZ3bC6dF8gH0 is wrong", "key … is wrong"),
        ("in organization org-Ab12Cd34", "in organization …"),
        ("claude-sonnet-4-5-20250929 is not there", "claude-sonnet-4-5-20250929 is not there"),
        ("a_very_long_snake_case_name_of_an_option", "a_very_long_snake_case_name_of_an_option"),
        ("prompt is too long: 205000 tokens", "prompt is too long: 205000 tokens"),
    ],
)
def test_what_may_be_a_key_is_hidden_and_the_rest_is_not(words: str, expected: str) -> None:
    assert redact(words, {"claude-sonnet-4-5-20250929"}) == expected


def test_the_key_that_was_sent_is_hidden_whatever_it_looks_like() -> None:
    assert redact("The key opensesame is wrong", (), "opensesame") == "The key … is wrong"
    assert redact("The x is wrong", (), "x") == "The x is wrong"


def test_what_is_shown_is_bounded() -> None:
    assert len(redact("word " * 200, ())) == MAX_CHARS
