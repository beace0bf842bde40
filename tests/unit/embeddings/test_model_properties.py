from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shared.embeddings.model_files import ModelFiles
from shared.embeddings.model_properties import (
    check_model,
    check_weights,
    dimension,
    model_name,
)
from shared.settings import Settings, SettingsError
from tests.unit.embeddings.conftest import WriteModel


@pytest.fixture
def settings_for(tmp_path: Path, write_model: WriteModel) -> Any:
    """Settings whose model has the given module configurations."""

    def make(**parts: Any) -> Settings:
        return Settings(embedding_model=str(write_model(tmp_path / "model", **parts)))

    return make


def test_the_packaged_model_fits_the_database() -> None:
    check_model(Settings(), expected_dimension=384)
    assert model_name(Settings()) == "multilingual-e5-small-q4"


def test_a_model_of_another_dimension_is_refused_with_both_numbers(settings_for: Any) -> None:
    settings = settings_for(pooling={"word_embedding_dimension": 768})
    with pytest.raises(SettingsError, match=r"EMBEDDING_MODEL=.* 768 .* 384"):
        check_model(settings)


@pytest.mark.parametrize(
    ("pooling", "expected"),
    [
        ({"word_embedding_dimension": 100}, 100),
        ({"embedding_dimension": 100, "pooling_mode": "cls"}, 100),
        ({"embedding_dimension": 100, "pooling_mode": ["cls", "mean"]}, 200),
        (
            {
                "word_embedding_dimension": 100,
                "pooling_mode_cls_token": True,
                "pooling_mode_mean_tokens": True,
                "pooling_mode_max_tokens": False,
            },
            200,
        ),
    ],
)
def test_pooling_tells_the_dimension(pooling: Any, expected: int, settings_for: Any) -> None:
    assert dimension(settings_for(pooling=pooling)) == expected


def test_the_last_dense_layer_has_the_last_word(settings_for: Any) -> None:
    settings = settings_for(
        **{
            "2_Dense": {"in_features": 384, "out_features": 512},
            "3_Dense": {"in_features": 512, "out_features": 128},
            "4_Normalize": {},
        }
    )
    assert dimension(settings) == 128


def test_vectors_that_the_model_cuts_short_count_as_cut(
    tmp_path: Path, write_model: WriteModel
) -> None:
    folder = write_model(tmp_path / "model")
    (folder / "config_sentence_transformers.json").write_text('{"truncate_dim": 64}')
    assert dimension(Settings(embedding_model=str(folder))) == 64


def test_a_model_that_does_not_tell_its_dimension_is_refused(settings_for: Any) -> None:
    settings = settings_for(pooling={"something": "else"})
    with pytest.raises(SettingsError, match="do not tell its dimension"):
        dimension(settings)


def test_packaged_weights_that_were_replaced_are_refused(
    tmp_path: Path, write_model: WriteModel
) -> None:
    folder = write_model(tmp_path / "model", weights=b"not the published ones")
    with pytest.raises(SettingsError, match="damaged or were replaced"):
        check_weights(ModelFiles(name="packaged", folder=folder, weights_sha256="53aa5117"))


def test_weights_that_are_not_known_in_advance_are_taken_as_they_are(
    tmp_path: Path, write_model: WriteModel
) -> None:
    folder = write_model(tmp_path / "model")
    check_weights(ModelFiles(name="mine", folder=folder))
