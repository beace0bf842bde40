from __future__ import annotations

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel

from shared.embeddings.vocabulary import has_word


@pytest.mark.parametrize("entry", ["shop", "▁shop", "Ġshop"])
def test_a_word_is_known_whole_however_the_vocabulary_begins_it(entry: str) -> None:
    tokenizer = Tokenizer(WordLevel({entry: 0, "##shops": 1, "[UNK]": 2}, unk_token="[UNK]"))
    assert has_word(tokenizer, "shop")
    assert not has_word(tokenizer, "shops")
    assert not has_word(tokenizer, "sohp")
