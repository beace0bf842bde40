from __future__ import annotations

from collections import Counter

from shared.policy.text_cache import LONG_COUNT, SHORT_CHARS, cached_by_text


def test_many_short_texts_are_kept_and_few_long_ones() -> None:
    computed: Counter[str] = Counter()

    @cached_by_text(512)
    def measure(text: str) -> int:
        computed[text] += 1
        return len(text)

    short = [f"text {number}" for number in range(500)]
    long = [f"{number} " * SHORT_CHARS for number in range(LONG_COUNT + 1)]
    for _ in range(2):
        assert [measure(text) for text in short + long] == [len(text) for text in short + long]

    assert {computed[text] for text in short} == {1}
    assert {computed[text] for text in long} == {2}


def test_a_long_text_that_is_asked_about_in_a_row_is_computed_once() -> None:
    computed: list[str] = []
    measure = cached_by_text(8)(computed.append)
    for _ in range(3):
        measure("x" * (SHORT_CHARS + 1))

    assert len(computed) == 1
