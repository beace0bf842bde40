"""`NAME_FILE` in place of NAME."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from shared.settings import Settings, SettingsError, publish_files, read_settings


@pytest.fixture
def in_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that SECRET_KEY_FILE names."""
    path = tmp_path / "secret_key"
    path.write_text("k" * 40 + "\n")
    monkeypatch.setenv("SECRET_KEY_FILE", str(path))
    return path


def test_a_setting_may_stand_in_a_file(in_file: Path) -> None:
    assert read_settings().secret_key.get_secret_value() == "k" * 40


def test_a_file_is_checked_as_the_variable_is(in_file: Path) -> None:
    in_file.write_text("short")
    with pytest.raises(SettingsError, match="SECRET_KEY: use at least 32"):
        read_settings()


def test_an_empty_variable_beside_the_file_is_none(
    in_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_KEY", "")
    assert read_settings().secret_key.get_secret_value() == "k" * 40


def test_an_empty_file_leaves_the_default(in_file: Path) -> None:
    in_file.write_text("\n")
    assert read_settings().secret_key.get_secret_value() == ""


def test_two_different_values_are_refused(in_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "v" * 40)
    with pytest.raises(
        SettingsError, match="SECRET_KEY and SECRET_KEY_FILE are both set"
    ) as caught:
        read_settings()
    assert "vvv" not in str(caught.value)
    assert "kkk" not in str(caught.value)


def test_the_same_value_twice_is_none_too_many(
    in_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`make run` gives its processes what it has read, beside the environment it was given."""
    monkeypatch.setenv("SECRET_KEY", "k" * 40)
    assert read_settings().secret_key.get_secret_value() == "k" * 40


@pytest.mark.parametrize(("content", "reason"), [(None, "No such file"), (b"\xff\xfe", "UTF-8")])
def test_a_file_that_cannot_be_read_stops_the_start_and_is_named(
    in_file: Path, content: bytes | None, reason: str
) -> None:
    if content is None:
        in_file.unlink()
    else:
        in_file.write_bytes(content)
    with pytest.raises(SettingsError, match=f"SECRET_KEY_FILE: cannot read .*{reason}"):
        read_settings()


def test_lists_and_numbers_may_stand_in_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in {"LLM_FALLBACKS": "a, b", "PORT": "9000"}.items():
        (tmp_path / name).write_text(text)
        monkeypatch.setenv(f"{name}_FILE", str(tmp_path / name))
    settings = read_settings()
    assert (settings.llm_fallbacks, settings.port) == (("a", "b"), 9000)


def test_the_key_of_the_models_server_is_read_before_the_providers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "key").write_text("own")
    monkeypatch.setenv("OPENAI_API_KEY", "of another")
    monkeypatch.setenv("LLM_API_KEY_FILE", str(tmp_path / "key"))
    assert read_settings().llm_api_key.get_secret_value() == "own"


def test_no_setting_is_named_as_another_ones_file() -> None:
    names = set(Settings.model_fields)
    assert {f"{name}_file" for name in names} & names == set()


def test_files_of_other_programs_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere")
    read_settings()


def test_libraries_find_their_keys_in_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "key").write_text("sk-1\n")
    for name in ("ANTHROPIC_API_KEY", "FLOWER_BASIC_AUTH", "OTHER_THING"):
        monkeypatch.setenv(name, "")
        monkeypatch.setenv(f"{name}_FILE", str(tmp_path / "key"))
    publish_files()
    names = ("ANTHROPIC_API_KEY", "FLOWER_BASIC_AUTH", "OTHER_THING")
    assert [os.environ[name] for name in names] == ["sk-1", "sk-1", ""]
