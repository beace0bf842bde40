from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.policy.continuation import SOUGHT, TAIL_CHARS, Continuation, turns_to_continue

CODE = "So:\n\n```python\ndef deposit(self, amount):\n    # Into the account\n    if amount > "
PROSE = "When sunlight passes through the atmosphere of the Earth, the blue"


def join(prefix: str, *pieces: str) -> str:
    continuation = Continuation(prefix)
    return prefix + "".join(continuation.take(piece) for piece in pieces) + continuation.end()


def count_words(text: str) -> int:
    return len(text.split())


@pytest.mark.parametrize(
    ("prefix", "output", "whole"),
    [
        pytest.param(PROSE, f"{PROSE} is scattered.", f"{PROSE} is scattered.", id="all again"),
        pytest.param(PROSE, f"{PROSE[20:]} is.", f"{PROSE} is.", id="the tail again"),
        pytest.param(PROSE, "the blue is.", f"{PROSE} is.", id="only the last words again"),
        pytest.param(PROSE, " is scattered.", f"{PROSE} is scattered.", id="nothing again"),
        pytest.param(PROSE, "is scattered.", f"{PROSE} is scattered.", id="nothing, and no space"),
        pytest.param(PROSE, ", and", f"{PROSE}, and", id="a comma"),
        pytest.param(
            PROSE, f"Sure: {PROSE[10:]} is.", f"{PROSE} is.", id="something before the tail"
        ),
        pytest.param(
            CODE,
            "```python\n# Into the account\nif amount > 0:\n        pass",
            f"{CODE}0:\n        pass",
            id="code with other white space",
        ),
        pytest.param(CODE, "```python\n0:\n        pass\n```", f"{CODE}0:\n        pass\n```",
                     id="a fence that is open already"),
        pytest.param(PROSE, PROSE[:30], PROSE, id="only its beginning again"),
        pytest.param(" \n", "Yes.", " \nYes.", id="nothing but white space was there"),
        pytest.param("Yes", "Yes, it is.", "Yes, it is.", id="a short text again"),
        pytest.param("I", "think that I do.", "I think that I do.", id="a letter found anywhere"),
        pytest.param("Done. ", "All of it.", "Done. All of it.", id="a space that is there"),
        pytest.param("   one\n\n", "one", "   one\n\n", id="nothing but little text again"),
    ],
)  # fmt: skip
def test_what_is_repeated_is_left_out_and_what_is_new_is_joined(
    prefix: str, output: str, whole: str
) -> None:
    assert join(prefix, output) == whole
    assert join(prefix, *output) == whole


def test_a_whole_text_that_is_repeated_at_length_is_left_out() -> None:
    prefix = " ".join(f"word{number}" for number in range(400))
    output = f"{prefix} and the end."
    assert join(prefix, *re.findall(r"\S+\s*", output)) == output


def test_nothing_is_shown_while_the_model_may_be_repeating_and_all_once_it_is_not() -> None:
    continuation = Continuation(PROSE)
    assert continuation.take(PROSE[:30]) == ""
    new = " ".join(f"new{number}" for number in range(60))
    assert continuation.take(new).startswith(f" {PROSE[:30]}new0 new1")
    assert continuation.take(" more") == " more"


@given(
    st.text(alphabet="abc xyz\n.,", min_size=2 * SOUGHT).filter(
        lambda text: len("".join(text.split())) >= SOUGHT
    ),
    st.text(alphabet="ABC XYZ\n.,"),
    st.integers(1, 7),
)
def test_a_model_that_repeats_the_tail_is_joined_to_the_letter(
    prefix: str, more: str, size: int
) -> None:
    output = prefix + more
    whole = join(prefix, *(output[at : at + size] for at in range(0, len(output), size)))
    assert "".join(whole.split()) == "".join(output.split())
    if not prefix[-1].isspace():
        assert whole.rstrip() == output.rstrip()


@given(st.text(min_size=1), st.lists(st.text()))
def test_nothing_that_was_kept_is_ever_changed(prefix: str, pieces: list[str]) -> None:
    assert join(prefix, *pieces).startswith(prefix)


def test_the_model_gets_the_text_so_far_and_its_last_words() -> None:
    prefix = " ".join(f"word{number}" for number in range(100))
    (role, text), (asker, request) = turns_to_continue(prefix, 1000, count_words)
    assert (role, text, asker) == ("assistant", prefix, "user")
    assert "word98 word99" in request
    assert len(request) < 300 + TAIL_CHARS


def test_of_a_very_long_text_the_model_gets_the_end() -> None:
    prefix = " ".join(f"word{number}" for number in range(100))
    (_, text), _ = turns_to_continue(prefix, 20, count_words)
    assert text.startswith("[…]\n")
    assert text.endswith("word98 word99")
    assert 15 <= count_words(text) <= 22
