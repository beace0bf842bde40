from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shared.embeddings.model_files import locate_model
from shared.settings import Settings, SettingsError
from tests.unit.embeddings.conftest import WriteModel


def settings_for(model: Path | str, *, download: bool = False) -> Settings:
    return Settings(embedding_model=str(model), embedding_download=download)


@pytest.fixture
def package_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


@pytest.fixture
def hub_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An empty local hub store in place of the user's."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


def put_in_store(store: Path, repository: str, write_model: WriteModel) -> Path:
    entry = store / f"models--{repository.replace('/', '--')}"
    (entry / "refs").mkdir(parents=True)
    (entry / "refs" / "main").write_text("0" * 40)
    return write_model(entry / "snapshots" / ("0" * 40))


def test_the_default_is_the_packaged_model_with_known_weights() -> None:
    files = locate_model(Settings())
    assert files.name == "multilingual-e5-small-q4"
    assert files.weights.is_file()
    assert files.weights_sha256 is not None
    assert files.weights_sha256.startswith("1571fc98")


def test_a_folder_is_named_after_itself_and_its_contents(
    tmp_path: Path, write_model: WriteModel
) -> None:
    files = locate_model(settings_for(write_model(tmp_path / "mine")))
    assert files.folder == tmp_path / "mine"
    assert files.name.startswith("mine@")


def test_folders_of_one_name_and_other_weights_have_other_names(
    tmp_path: Path, write_model: WriteModel
) -> None:
    first = write_model(tmp_path / "a" / "mine", weights=b"1")
    second = write_model(tmp_path / "b" / "mine", weights=b"2")
    assert locate_model(settings_for(first)).name != locate_model(settings_for(second)).name


def test_folders_of_one_name_and_other_pooling_have_other_names(
    tmp_path: Path, write_model: WriteModel
) -> None:
    first = write_model(tmp_path / "a" / "mine")
    second = write_model(
        tmp_path / "b" / "mine",
        pooling={"word_embedding_dimension": 384, "pooling_mode_cls_token": True},
    )
    assert locate_model(settings_for(first)).name != locate_model(settings_for(second)).name


def test_a_copy_of_a_folder_has_the_same_name_with_or_without_a_readme(
    tmp_path: Path, write_model: WriteModel
) -> None:
    first = write_model(tmp_path / "a" / "mine")
    second = write_model(tmp_path / "b" / "mine")
    (second / "README.md").write_text("for people")
    assert locate_model(settings_for(first)).name == locate_model(settings_for(second)).name


def test_a_folder_that_is_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"^EMBEDDING_MODEL=.*modules\.json"):
        locate_model(settings_for(tmp_path))


def test_a_path_that_does_not_exist_is_refused_as_a_path(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="is not a folder"):
        locate_model(settings_for(tmp_path / "nowhere"))


def test_a_package_is_searched_for_a_model_and_not_imported(
    package_root: Any, write_model: WriteModel
) -> None:
    package = package_root / "carries_a_model"
    folder = write_model(package / "deep" / "model")
    (package / "__init__.py").write_text("raise RuntimeError('imported')")
    files = locate_model(settings_for("carries-a-model"))
    assert files.folder == folder
    assert files.name.startswith("carries_a_model@")


def test_a_package_without_a_model_is_refused(package_root: Any) -> None:
    (package_root / "carries_nothing.py").touch()
    with pytest.raises(SettingsError, match="carries_nothing carries no model"):
        locate_model(settings_for("carries_nothing"))


def test_a_hub_name_that_is_not_stored_is_refused_unless_fetching_is_allowed(
    hub_store: Any,
) -> None:
    with pytest.raises(SettingsError, match=r"EMBEDDING_MODEL=someone/absent.*EMBEDDING_DOWNLOAD"):
        locate_model(settings_for("someone/absent"))


@pytest.mark.parametrize("model", ["sentence-transformers/stored-1", "stored-1"])
def test_a_stored_hub_model_needs_no_network(
    model: str, hub_store: Any, write_model: WriteModel
) -> None:
    folder = put_in_store(hub_store, "sentence-transformers/stored-1", write_model)
    files = locate_model(settings_for(model))
    assert files.folder == folder
    assert files.name.startswith(f"{model}@")


def test_a_stored_hub_model_is_used_as_it_is_even_when_fetching_is_allowed(
    hub_store: Any, write_model: WriteModel
) -> None:
    folder = put_in_store(hub_store, "someone/stored-2", write_model)
    assert locate_model(settings_for("someone/stored-2", download=True)).folder == folder


def test_a_stored_hub_model_without_weights_counts_as_absent(
    hub_store: Any, write_model: WriteModel
) -> None:
    folder = put_in_store(hub_store, "someone/cut-short", write_model)
    (folder / "model.safetensors").unlink()
    with pytest.raises(SettingsError, match="not in the local hub store"):
        locate_model(settings_for("someone/cut-short"))
