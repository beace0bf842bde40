"""Snippets of search results."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from shared.policy.snippets import AFTER_CHARS, BEFORE_CHARS, CUT, cut_around, parts_of, pieces_of


def test_marks_become_pieces() -> None:
    assert pieces_of("a \x01cat\x02 sat") == [("a ", False), ("cat", True), (" sat", False)]
    assert pieces_of("\x01cat\x02") == [("cat", True)]
    assert pieces_of("none") == [("none", False)]


def test_a_text_is_cut_around_its_first_hit_and_every_hit_marked() -> None:
    pieces = cut_around("x" * 500 + " Cat and cAT " + "y" * 500, ["cat"])
    assert [text for text, is_hit in pieces if is_hit] == ["Cat", "cAT"]
    assert (pieces[0][0][0], pieces[-1][0][-1]) == (CUT, CUT)


def test_without_a_hit_the_beginning_is_shown() -> None:
    assert cut_around("short", ["absent"]) == [("short", False)]


def test_scripts_without_spaces_are_parted_into_pairs_of_letters() -> None:
    assert parts_of("我喜欢 Häuser") == ["我喜欢", "Häuser", "我喜", "喜欢"]


def test_signs_are_taken_as_they_are() -> None:
    assert cut_around("a.b axb", ["a.b"]) == [("a.b", True), (" axb", False)]


@given(st.text(), st.lists(st.text(min_size=1), min_size=1, max_size=3))
def test_a_snippet_is_never_long_whatever_is_searched(text: str, words: list[str]) -> None:
    snippet = "".join(piece for piece, _ in cut_around(text, words))
    assert len(snippet) <= BEFORE_CHARS + AFTER_CHARS + 2 * len(CUT)
