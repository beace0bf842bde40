"""Names and misspelt words are whole words, never parts of addresses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.models import Speaker
from shared.policy.ranking.spelling import list_correctable, replace_words
from shared.policy.ranking.whole_words import COMPOUND
from shared.policy.ranking.words import choose_words, weigh_words
from tests.asking import read

COMPOUNDS = [
    "Max.Mustermann@example.com", "www.Max.example", "https://max.example/Max?q=Max",
    "/home/Max/letter.txt", "Max/Moritz", "Max.txt", "C:\\Users\\Max", "Max@home",
    "Max.example:8080", "Barcelna.example.org", "barcelna@example.org", "notes/barcelna.md",
]  # fmt: skip
NAMES = st.lists(
    st.one_of(
        st.sampled_from(["Max", "Max Mustermann", "J.R.", "example", "", " ", ".", "x@y.z", "I"]),
        st.text(max_size=12),
    ),
    max_size=6,
)
PIECES = st.one_of(
    st.sampled_from(
        [*COMPOUNDS, "Max", "Max's", "Max’s", "barcelna", "I", " ", ". ", "-", "/", "@"]
    ),
    st.text(max_size=8),
)
TEXTS = st.lists(PIECES, max_size=12).map("".join)


@pytest.mark.parametrize("compound", COMPOUNDS)
def test_what_is_one_word_to_the_index_stays_whole(compound: str) -> None:
    question = read(f"Did ({compound}) help?", "Max", "Barcelna")
    assert question.for_words == question.for_meaning == f"Did ({compound}) help?"
    assert question.speaker is None
    assert "barcelna" not in list_correctable(compound)
    assert replace_words(compound, {"barcelna": "barcelona"}) == compound


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("Where is Max's cat?", "Where is my cat?"),
        ("Max, Max. (Max) Max-made", "I, I. (I) I-made"),
        ("Was it J.R.?", "Was it I?"),
        ("Max wrote to Max.Mustermann@example.com.", "I wrote to Max.Mustermann@example.com."),
    ],
)
def test_whole_names_are_found_beside_any_sign(text: str, meaning: str) -> None:
    assert read(text, "Max", "J.R.").for_meaning == meaning


@given(text=TEXTS, names=NAMES)
def test_any_text_can_be_read_with_any_names_and_keeps_its_compounds(
    text: str, names: list[str]
) -> None:
    speakers = [Speaker(name=name, role="user") for name in names[::2]]
    question = read(text, *names[1::2], speakers=speakers)
    lost_compounds = {
        compound for compound in COMPOUND.findall(text) if compound not in question.for_words
    }
    assert all(
        any(name and (name in compound or compound in name) for name in names)
        for compound in lost_compounds
    )
    words = list_correctable(text)
    assert COMPOUND.findall(replace_words(text, dict.fromkeys(words, "other"))) == (
        COMPOUND.findall(text)
    )


@given(st.dictionaries(st.text(), st.integers(-3, 5_000)), st.integers(0, 9_999))
def test_words_that_are_looked_up_have_a_weight(counts: dict[str, int], total: int) -> None:
    assert set(choose_words(counts, 500)) <= weigh_words(counts, total).keys()


def test_a_list_of_dates_is_read_in_part() -> None:
    many = " ".join(f"{1900 + n % 200}-01-01" for n in range(2_000))
    assert len(read(many).dates) <= 20
