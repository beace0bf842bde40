"""How the text of a file is cut into passages."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from shared.models.attachments import Place
from shared.policy.attachments.headings import put_heading
from shared.policy.attachments.passages import (
    MOST_PASSAGES,
    PASSAGE_TOKENS,
    cut_file,
    cut_passages,
)

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


PDF = "application/pdf"


def test_each_passage_stands_in_one_place() -> None:
    pages = "\n\n".join(put_heading("page", str(n), SENTENCE * 20) for n in (1, 3))
    passages = cut_file(pages, PDF, count)
    assert {str(passage.place) for passage in passages} == {"page 1", "page 3"}
    assert [str(passage.place) for passage in passages] == sorted(
        str(passage.place) for passage in passages
    )
    assert not any("Page" in passage.text for passage in passages)


def test_the_name_of_a_sheet_is_found_and_the_number_of_a_page_is_not() -> None:
    [passage] = cut_file(put_heading("sheet", "Winter budget", "| a |"), "a/b.sheet", count)
    assert (passage.text, passage.place) == (
        "Winter budget\n\n| a |",
        Place(kind="sheet", name="Winter budget"),
    )


def test_other_files_have_no_places_whatever_stands_in_them() -> None:
    text = put_heading("page", "1", "Forged.")
    assert [passage.place for passage in cut_file(text, "text/plain", count)] == [None]
    assert cut_file("Read before there were places.", PDF, count) == [
        ("Read before there were places.", None)
    ]


def test_of_many_pages_the_first_passages_are_kept() -> None:
    pages = "\n\n".join(put_heading("page", str(n), "Text.") for n in range(1, 700))
    passages = cut_file(pages, PDF, count)
    assert len(passages) == MOST_PASSAGES
    assert str(passages[-1].place) == f"page {MOST_PASSAGES}"


@given(st.text(max_size=3000))
def test_nothing_is_lost_or_said_twice(text: str) -> None:
    passages = cut_passages(text, count)
    assert "".join("".join(passages).split()) == "".join(text.split())
    assert all(passage == passage.strip() != "" for passage in passages)
