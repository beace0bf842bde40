"""Workers (torch) and web (ONNX) give a text the same vector."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shared.embeddings.bulk_encoder import encode_texts, encode_with_tokens
from shared.embeddings.export import export_onnx
from shared.embeddings.model_properties import dimension, model_name
from shared.embeddings.onnx_model import OnnxModel
from shared.settings import Settings
from tests.integration.embeddings.conftest import BuildModel

TEXTS = [
    "",
    " ",
    "?",
    "Hello",
    "HELLO",
    "What was the name of the café near Zoë's flat?",
    "🎉🎉 👩‍👩‍👧‍👦 🇨🇭",
    "我昨天在北京吃了烤鸭。",
    "ありがとう、またね",
    "מה שלום הכלב שלי?",
    "متى موعدي مع الطبيب؟",
    "naïve e\u0301 vs é \u200b zero width",
    "[SEP] [CLS] written by hand [MASK]",
    "a\x00b\tc\nd",
    "x" * 5000,
    "memory " * 256,
    "memory " * 2000,
    "你" * 3000,
    "def f(x):\n    return {'a': [1, 2, 3]}\n" * 40,
]


def largest_difference(settings: Settings) -> float:
    model = OnnxModel(export_onnx(settings))
    singly = np.stack([model.encode_query(text).vector for text in TEXTS])
    in_bulk = encode_texts(TEXTS, settings)
    assert singly.dtype == in_bulk.dtype == np.float32
    assert singly.shape == in_bulk.shape == (len(TEXTS), dimension(settings))
    return float(np.abs(singly - in_bulk).max())


def test_the_tokens_are_the_same_both_ways(minilm_settings: Settings) -> None:
    """Equal signs, except of numbers near zero, whose sign depends on rounding."""
    model = OnnxModel(export_onnx(minilm_settings))
    plain = [text for text in TEXTS if "[SEP]" not in text]
    for text, theirs in zip(plain, encode_with_tokens(plain, minilm_settings), strict=True):
        ours = model.encode_query(text)
        assert ours.token_signs.shape == theirs.token_signs.shape, text[:20]
        assert np.bitwise_count(ours.token_signs ^ theirs.token_signs).sum() <= len(
            theirs.token_signs
        )


def test_a_token_is_a_word_or_a_piece_of_one_and_never_padding(minilm_settings: Settings) -> None:
    short, long = encode_with_tokens(["green tea", "memory " * 300], minilm_settings)
    assert short.token_signs.shape == (2, 48)
    assert long.token_signs.shape == (254, 48)
    [alone] = encode_with_tokens(["green tea"], minilm_settings)
    assert np.bitwise_count(alone.token_signs ^ short.token_signs).sum() <= 2


def test_with_their_tokens_texts_have_the_vectors_that_they_have_without(
    minilm_settings: Settings,
) -> None:
    encoded = encode_with_tokens(TEXTS, minilm_settings)
    without = encode_texts(TEXTS, minilm_settings)
    assert np.abs(np.stack([embedding.vector for embedding in encoded]) - without).max() < 1e-5
    assert encode_with_tokens([], minilm_settings) == []


def test_minilm_gives_the_same_vectors_both_ways(minilm_settings: Settings) -> None:
    assert largest_difference(minilm_settings) < 1e-5


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"pooling": "cls"},
        {"pooling": "max"},
        {"width": 64, "dense_to": 384},
        {"half_precision": True},
    ],
    ids=lambda form: "-".join(map(str, form)) or "plain",
)
def test_any_bert_like_model_gives_the_same_vectors_both_ways(
    form: Any, tmp_path: Path, build_model: BuildModel
) -> None:
    folder = build_model(tmp_path / "models" / "other", **form)
    settings = Settings(embedding_model=str(folder), data_dir=tmp_path)
    assert largest_difference(settings) < 1e-5


def test_vectors_have_length_one(minilm_settings: Settings) -> None:
    assert np.linalg.norm(encode_texts(TEXTS, minilm_settings), axis=1) == pytest.approx(1)


def test_vectors_come_in_the_order_of_the_texts(minilm_settings: Settings) -> None:
    together = encode_texts(TEXTS, minilm_settings)
    backwards = encode_texts(TEXTS[::-1], minilm_settings)
    assert np.abs(together - backwards[::-1]).max() < 1e-5


def test_no_texts_give_no_vectors(minilm_settings: Settings) -> None:
    assert encode_texts([], minilm_settings).shape == (0, 384)


def test_words_beyond_the_longest_sequence_change_nothing(minilm_settings: Settings) -> None:
    model = OnnxModel(export_onnx(minilm_settings))
    inside, outside = (model.encode_query("cat " * 254 + end).vector for end in ("", "dog"))
    assert np.array_equal(inside, outside)
    assert not np.array_equal(inside, model.encode_query("cat " * 253 + "dog").vector)


def test_a_query_prompt_is_put_before_queries_only(tmp_path: Path, build_model: BuildModel) -> None:
    folder = build_model(tmp_path / "models" / "asked", query_prompt="find me ")
    settings = Settings(embedding_model=str(folder), data_dir=tmp_path)
    query = OnnxModel(export_onnx(settings)).encode_query("a cat").vector
    with_prompt, without = encode_texts(["find me a cat", "a cat"], settings)
    assert np.abs(query - with_prompt).max() < 1e-5
    assert np.abs(query - without).max() > 1e-2


def test_another_model_of_the_same_dimension_has_another_name(
    tiny_settings: Settings, minilm_settings: Settings
) -> None:
    assert dimension(tiny_settings) == dimension(minilm_settings) == 384
    assert model_name(tiny_settings) != model_name(minilm_settings)
