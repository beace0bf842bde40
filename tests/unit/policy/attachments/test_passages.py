"""How the text of a file is cut into passages."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from shared.policy.attachments.passages import MOST_PASSAGES, PASSAGE_TOKENS, cut_passages

SENTENCE = "The miller of the lower valley bought a telescope in the spring of that year. "


def count(text: str) -> int:
    return len(text.split())


def by_letter(text: str) -> int:
    return len(text)


def test_a_short_text_is_one_passage() -> None:
    assert cut_passages("One line.\nAnother line.\n", count) == ["One line.\nAnother line."]


def test_a_text_without_words_has_no_passage() -> None:
    assert cut_passages(" \n\n\t\n", count) == []


def test_blank_lines_do_not_use_up_the_passages() -> None:
    blank = " " * 590 + "\n"
    text = blank * (MOST_PASSAGES * 2) + "The last line has words."
    assert cut_passages(text, by_letter) == ["The last line has words."]


def test_passages_end_at_blank_lines_where_they_are_long_enough() -> None:
    paragraph = "word " * (PASSAGE_TOKENS * 6 // 10)
    passages = cut_passages(f"{paragraph}\n\n{paragraph}\n\nA last line.\n", count)
    assert passages == [paragraph.strip(), paragraph.strip(), "A last line."]


def test_short_paragraphs_stand_together() -> None:
    text = "".join(f"Paragraph {number}.\n\n" for number in range(10))
    assert cut_passages(text, count) == [text.strip()]


def test_a_long_line_is_cut_at_the_ends_of_sentences() -> None:
    passages = cut_passages(SENTENCE * 100, count)
    assert len(passages) > 5
    assert all(passage.endswith("that year.") for passage in passages)
    assert all(count(passage) <= PASSAGE_TOKENS for passage in passages)


def test_a_text_without_spaces_is_cut_by_its_tokens() -> None:
    passages = cut_passages("水" * 5000, by_letter)
    assert all(len(passage) <= PASSAGE_TOKENS for passage in passages)
    assert "".join(passages) == "水" * 5000


def test_of_a_very_long_file_the_first_passages_are_kept() -> None:
    lines = "".join(f"{number} {'word ' * PASSAGE_TOKENS}\n" for number in range(MOST_PASSAGES * 2))
    passages = cut_passages(lines, count)
    assert len(passages) == MOST_PASSAGES
    assert passages[0].startswith("0 ")


@given(st.text(max_size=3000))
def test_nothing_is_lost_or_said_twice(text: str) -> None:
    passages = cut_passages(text, count)
    assert "".join("".join(passages).split()) == "".join(text.split())
    assert all(passage == passage.strip() != "" for passage in passages)
