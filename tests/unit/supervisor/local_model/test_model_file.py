from __future__ import annotations

from pathlib import Path

import pytest

from supervisor.embedded.owner import present_account
from supervisor.errors import StartError
from supervisor.local_model.model_file import find_path, open_model_file
from tests.fakes.gguf import SMALL_MODEL, write_gguf


def test_a_model_that_chats_is_taken_by_its_files_name(tmp_path: Path) -> None:
    path = write_gguf(tmp_path / "qwen-1.5b.gguf")
    file = open_model_file(f"file:{path}", present_account())
    assert (file.name, file.path) == ("qwen-1.5b", path)
    assert file.window == 16_384


def test_the_path_may_be_an_address_or_below_home(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HOME", "/home/anna")
    assert find_path("file:///models/a.gguf") == Path("/models/a.gguf")
    assert find_path("file:~/a.gguf") == Path("/home/anna/a.gguf")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("missing.gguf", "there is no file"),
        (".", "is a folder"),
        ("picture.png", "is no model in the format GGUF"),
        ("embedder.gguf", "no model that chats, but one of kind bert"),
        ("vast-00001-of-00002.gguf", "Take a smaller model"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_in_a_sentence(
    tmp_path: Path, name: str, sentence: str
) -> None:
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    write_gguf(tmp_path / "embedder.gguf", {"general.architecture": "bert"})
    write_gguf(tmp_path / "vast-00001-of-00002.gguf", SMALL_MODEL)
    with (tmp_path / "vast-00002-of-00002.gguf").open("wb") as part:
        part.truncate(10 * 10**12)  # of holes
    with pytest.raises(StartError, match=sentence) as caught:
        open_model_file(f"file:{tmp_path / name}", present_account())
    assert str(caught.value).startswith("LLM_MODEL: ")
    assert "\n" not in str(caught.value)
