"""With the real weights, texts of similar meaning have similar vectors."""

from __future__ import annotations

import pytest

from shared.embeddings.bulk_encoder import encode_texts
from shared.embeddings.export import export_onnx
from shared.embeddings.onnx_model import OnnxModel
from shared.settings import Settings

EPISODES = [
    "The user adopted a grey kitten and asked how to feed it.",
    "Planning a week of hiking in the Dolomites in September.",
    "Debugging a Postgres deadlock between two workers.",
    "Recipes for a vegan birthday cake without nuts.",
    "Choosing a mortgage with a fixed interest rate.",
]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("What should my cat eat?", 0),
        ("mountain holiday in autumn", 1),
        ("database transactions blocking each other", 2),
        ("dessert for someone with an allergy", 3),
        ("borrowing money to buy a house", 4),
    ],
)
def test_a_query_finds_the_episode_that_means_it(
    query: str, expected: int, minilm_settings: Settings
) -> None:
    vector = OnnxModel(export_onnx(minilm_settings)).encode_query(query).vector
    similarities = encode_texts(EPISODES, minilm_settings) @ vector
    assert similarities.argmax() == expected
