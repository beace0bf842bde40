"""The parts of a text that fit, near to what is asked."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from shared.policy.attachments.excerpts import LEFT_OUT, PASSAGE_CHARS, fit_text, split_passages
from shared.policy.attachments.headings import put_heading

LINES = [f"In year {n} the harvest was as it had been before.\n" for n in range(2000)]


def count(text: str) -> int:
    return len(text.split())


def test_a_text_that_fits_is_given_whole() -> None:
    assert fit_text("One two three.", "two?", 3, count) == ("One two three.", True)


def test_of_a_longer_one_the_beginning_and_what_is_asked_are_given_in_their_order() -> None:
    lines = [*LINES]
    lines[1500] = "The miller bought a telescope.\n"
    lines[700] = "The telescope was broken.\n"
    text, is_whole = fit_text("".join(lines), "Who bought the telescope?", 600, count)
    assert not is_whole
    assert text.startswith("In year 0 ")
    assert text.index("was broken") < text.index("The miller bought")
    assert text.count(LEFT_OUT) == 3
    assert count(text) <= 600


def test_each_part_of_an_extract_names_its_place() -> None:
    pages = [put_heading("page", str(n), "".join(LINES[:40])) for n in range(1, 60)]
    pages[41] = put_heading("page", "42", "".join([*LINES[:40], "The telescope.\n", *LINES[:9]]))
    text, is_whole = fit_text("\n\n".join(pages), "telescope?", 900, count)
    assert not is_whole
    behind = text.split(LEFT_OUT)
    [part] = [part_text for part_text in behind if "The telescope." in part_text]
    assert part.strip().startswith("## Page 42\n")
    assert count(text) <= 900


def test_one_endless_line_is_cut() -> None:
    text, is_whole = fit_text("word " * 100_000, "word?", 500, count)
    assert not is_whole
    assert 0 < count(text) <= 500


@given(st.text(max_size=5000), st.text(max_size=50), st.integers(min_value=1, max_value=400))
def test_nothing_is_made_up_and_little_is_too_much(text: str, question: str, room: int) -> None:
    excerpt, is_whole = fit_text(text, question, room, len)
    assert is_whole == (len(text) <= room)
    if is_whole:
        assert excerpt == text
    assert len(excerpt) <= max(room, 40)  # the mark of a cut has its own length


@given(st.text())
def test_passages_are_the_whole_text_in_short_pieces(text: str) -> None:
    passages = split_passages(text)
    assert "".join(passages).rstrip() == text.rstrip()
    assert all(len(passage) <= PASSAGE_CHARS for passage in passages)
