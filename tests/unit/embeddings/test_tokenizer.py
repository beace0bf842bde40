from __future__ import annotations

import pytest

from shared.embeddings.tokenizer import has_word


@pytest.mark.parametrize("entry", ["shop", "▁shop", "Ġshop"])
def test_a_word_is_known_whole_however_the_vocabulary_begins_it(entry: str) -> None:
    vocabulary = {entry, "##shops", "[UNK]"}
    assert has_word("shop", vocabulary.__contains__)
    assert not has_word("shops", vocabulary.__contains__)
    assert not has_word("sohp", vocabulary.__contains__)
